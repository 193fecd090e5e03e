#!/usr/bin/env bash
# date-fns' parseISO rounds the fraction .9999999 up, so the last tick of a day becomes the next day.
# versions: date-fns 4.4.0, luxon 3.7.2, Node 20; observed 2026-11-28
# guessed: It truncates the fraction to milliseconds, .999 (65 %).
# seen: 23:59:59.9999999 is midnight of the next day. Date and Luxon truncate.
# matters: An `end_date` of a .NET or SQL Server system, whose last tick of a day is .9999999: the event gets an extra day. Compare the text, or truncate it after three digits.
# needs: node 20, npm
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
echo '{"type":"module"}' > package.json
npm install --silent --no-audit --no-fund date-fns@4.4.0 luxon@3.7.2

cat > program.mjs <<'EOF'
import { parseISO } from "date-fns";
import { DateTime } from "luxon";

for (const text of ["2025-12-18T23:59:59.9999999Z", "2025-12-18T23:59:59.999Z", "2025-12-18T19:30:00.123456789Z"]) {
  console.log(text);
  console.log("  parseISO", parseISO(text).toISOString());
  console.log("  Date    ", new Date(text).toISOString());
  console.log("  luxon   ", DateTime.fromISO(text).toJSDate().toISOString());
}
EOF

diff <(TZ=UTC node program.mjs) - <<'EOF'
2025-12-18T23:59:59.9999999Z
  parseISO 2025-12-19T00:00:00.000Z
  Date     2025-12-18T23:59:59.999Z
  luxon    2025-12-18T23:59:59.999Z
2025-12-18T23:59:59.999Z
  parseISO 2025-12-18T23:59:59.999Z
  Date     2025-12-18T23:59:59.999Z
  luxon    2025-12-18T23:59:59.999Z
2025-12-18T19:30:00.123456789Z
  parseISO 2025-12-18T19:30:00.123Z
  Date     2025-12-18T19:30:00.123Z
  luxon    2025-12-18T19:30:00.123Z
EOF
