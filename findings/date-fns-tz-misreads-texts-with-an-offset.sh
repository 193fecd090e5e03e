#!/usr/bin/env bash
# date-fns-tz' fromZonedTime misreads a text with an offset: it converts the instant to the machine's local time, and reads that as a time in the given zone.
# versions: date-fns-tz 3.2.0, Node 20; observed 2026-11-28
# guessed: An offset in the text wins over the zone (65 %).
# seen: 19:30-05:00 for Berlin is right on a machine in Berlin only, an hour late in UTC, six hours off in New York.
# matters: An API whose dates may have an offset. Call `fromZonedTime(date, event.time_zone_id)` only for texts without one.
# needs: node 20, npm
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
echo '{"type":"module"}' > package.json
npm install --silent --no-audit --no-fund date-fns-tz@3.2.0 date-fns@4.4.0

cat > program.mjs <<'EOF'
import { fromZonedTime } from "date-fns-tz";

for (const text of ["2025-12-18T19:30:00-05:00", "2025-12-19T00:30:00Z", "2025-12-19T01:30:00"]) {
  console.log(process.env.TZ, text, "->", fromZonedTime(text, "Europe/Berlin").toISOString());
}
EOF

diff <(for zone in Europe/Berlin UTC America/New_York; do TZ=$zone node program.mjs; done) - <<'EOF'
Europe/Berlin 2025-12-18T19:30:00-05:00 -> 2025-12-19T00:30:00.000Z
Europe/Berlin 2025-12-19T00:30:00Z -> 2025-12-19T00:30:00.000Z
Europe/Berlin 2025-12-19T01:30:00 -> 2025-12-19T00:30:00.000Z
UTC 2025-12-18T19:30:00-05:00 -> 2025-12-18T23:30:00.000Z
UTC 2025-12-19T00:30:00Z -> 2025-12-18T23:30:00.000Z
UTC 2025-12-19T01:30:00 -> 2025-12-19T00:30:00.000Z
America/New_York 2025-12-18T19:30:00-05:00 -> 2025-12-18T18:30:00.000Z
America/New_York 2025-12-19T00:30:00Z -> 2025-12-18T18:30:00.000Z
America/New_York 2025-12-19T01:30:00 -> 2025-12-19T00:30:00.000Z
EOF
