#!/usr/bin/env bash
# zod's z.iso.datetime() accepts a time without seconds in 4.3.6 but not in 4.6.7, although both are zod 4.
# versions: zod 4.3.6 and 4.6.7 (observed, 2026-11-28)
# guessed: 4.6.7 accepts "2026-11-28T10:00Z", because zod 4 made seconds optional (65 %)
# seen: 4.3.6 accepts it, 4.6.7 does not, except with `precision: -1`, for minutes only
# matters: after a minor update, an API that checks request times with zod rejects what its clients have always sent, although RFC 3339
#   did require seconds. Test a time without seconds before the update, and announce the change or accept both
#   with z.union([z.iso.datetime({ offset: true }), z.iso.datetime({ offset: true, precision: -1 })]).
# needs: node
set -euo pipefail
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"
npm init -y >/dev/null
npm install --silent --no-audit --no-fund old@npm:zod@4.3.6 new@npm:zod@4.6.7

cat >program.mjs <<'JS'
const times = ["2026-11-28T10:00Z", "2026-11-28T10:00:00Z", "2026-11-28T10:00+02:00"];
for (const name of ["old", "new"]) {
  const z = await import(name);
  const schema = z.iso.datetime({ offset: true });
  const minutes = z.iso.datetime({ offset: true, precision: -1 });
  for (const time of times) console.log(name, time, schema.safeParse(time).success, minutes.safeParse(time).success);
}
JS
node program.mjs >seen

diff - seen <<'SEEN'
old 2026-11-28T10:00Z true true
old 2026-11-28T10:00:00Z true false
old 2026-11-28T10:00+02:00 true true
new 2026-11-28T10:00Z false true
new 2026-11-28T10:00:00Z true false
new 2026-11-28T10:00+02:00 false true
SEEN
echo "as seen"
