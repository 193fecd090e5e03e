#!/usr/bin/env bash
# zod's z.fromJSONSchema() reads `format: date-time` as a time with any offset, although z.iso.datetime() takes only "Z".
# versions: zod 4.6.7 (observed, 2026-11-28)
# guessed: the format becomes z.iso.datetime(), so "+02:00" is rejected (55 %)
# seen: "+02:00" is accepted; a schema from z.toJSONSchema() rejects it, because that function adds a pattern beside the format
# matters: a client that builds its checks from an API's OpenAPI document accepts other times than one with z.iso.datetime(), and a
#   schema changes meaning if its `pattern` is omitted from the published document.
#   Write `offset: true`, and convert to UTC after the check.
# needs: node
set -euo pipefail
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"
npm init -y >/dev/null
npm install --silent --no-audit --no-fund zod@4.6.7

cat >program.mjs <<'JS'
import * as z from "zod";

const published = { type: "string", format: "date-time" };
const { pattern, ...withoutPattern } = z.toJSONSchema(z.iso.datetime());
const schemas = {
  "by hand": z.iso.datetime(),
  "from OpenAPI": z.fromJSONSchema(published),
  "there and back": z.fromJSONSchema({ ...withoutPattern, pattern }),
  "back without pattern": z.fromJSONSchema(withoutPattern),
};
for (const [name, schema] of Object.entries(schemas)) {
  const takes = (time) => schema.safeParse(time).success;
  console.log(`${name}: Z ${takes("2026-11-28T10:00:00Z")}, +02:00 ${takes("2026-11-28T12:00:00+02:00")}`);
}
JS
node program.mjs >seen

diff - seen <<'SEEN'
by hand: Z true, +02:00 false
from OpenAPI: Z true, +02:00 true
there and back: Z true, +02:00 false
back without pattern: Z true, +02:00 true
SEEN
echo "as seen"
