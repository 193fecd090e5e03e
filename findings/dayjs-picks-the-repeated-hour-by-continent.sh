#!/usr/bin/env bash
# dayjs.tz reads a repeated local time as the second one in Europe and America, and as the first one in Australia.
# versions: dayjs 1.11.23, temporal-polyfill 1.0.8; observed 2026-11-28
# guessed: The first one, in London and New York (50 %).
# seen: London, Berlin and New York: the second. Sydney: the first. Temporal: always the first.
# matters: Shows and sales on the night of the clock change. A Temporal calendar and a dayjs list differ by an hour. Use Temporal with an explicit `disambiguation`.
# needs: node 20, npm
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
echo '{"type":"module"}' > package.json
npm install --silent --no-audit --no-fund dayjs@1.11.23 temporal-polyfill@1.0.8

cat > program.mjs <<'EOF'
import dayjs from "dayjs";
import timezone from "dayjs/plugin/timezone.js";
import utc from "dayjs/plugin/utc.js";
import { Temporal } from "temporal-polyfill";

dayjs.extend(utc);
dayjs.extend(timezone);
const repeated = [
  ["2026-10-25T01:30", "Europe/London"],
  ["2026-10-25T02:30", "Europe/Berlin"],
  ["2026-11-01T01:30", "America/New_York"],
  ["2026-04-05T02:30", "Australia/Sydney"],
];
for (const [text, zone] of repeated) {
  const first = Temporal.PlainDateTime.from(text).toZonedDateTime(zone, { disambiguation: "earlier" }).epochMilliseconds;
  console.log(zone, dayjs.tz(text, zone).valueOf() === first ? "first" : "second");
}
EOF

diff <(TZ=UTC node program.mjs) - <<'EOF'
Europe/London second
Europe/Berlin second
America/New_York second
Australia/Sydney first
EOF
