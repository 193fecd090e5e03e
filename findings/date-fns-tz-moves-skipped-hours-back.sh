#!/usr/bin/env bash
# date-fns-tz' fromZonedTime moves a local time in the skipped hour back by an hour, where other libraries move it forward.
# versions: date-fns-tz 3.2.0, temporal-polyfill 1.0.8, luxon 3.7.2; observed 2026-11-28
# guessed: 01:30 in London on 2026-03-29 is 01:30Z, shown as 02:30 (55 %).
# seen: 00:30Z, shown as 00:30. Temporal and Luxon return 01:30Z.
# matters: Reminders, door times and sales windows on the night of the change, if one program uses date-fns-tz and another does not. Use Temporal for local times.
# needs: node 20, npm
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
echo '{"type":"module"}' > package.json
npm install --silent --no-audit --no-fund date-fns@4.4.0 date-fns-tz@3.2.0 temporal-polyfill@1.0.8 luxon@3.7.2

cat > program.mjs <<'EOF'
import { formatInTimeZone, fromZonedTime } from "date-fns-tz";
import { DateTime } from "luxon";
import { Temporal } from "temporal-polyfill";

const skipped = [["2026-03-29T01:30", "Europe/London"], ["2026-03-29T02:30", "Europe/Berlin"], ["2026-03-08T02:30", "America/New_York"]];
for (const [text, zone] of skipped) {
  const instant = fromZonedTime(text, zone);
  console.log(zone, "date-fns-tz", instant.toISOString(), "shown as", formatInTimeZone(instant, zone, "HH:mm"));
  console.log(zone, "temporal   ", Temporal.PlainDateTime.from(text).toZonedDateTime(zone).toInstant().toString({ smallestUnit: "millisecond" }));
  console.log(zone, "luxon      ", DateTime.fromISO(text, { zone }).toJSDate().toISOString());
}
EOF

diff <(TZ=UTC node program.mjs) - <<'EOF'
Europe/London date-fns-tz 2026-03-29T00:30:00.000Z shown as 00:30
Europe/London temporal    2026-03-29T01:30:00.000Z
Europe/London luxon       2026-03-29T01:30:00.000Z
Europe/Berlin date-fns-tz 2026-03-29T00:30:00.000Z shown as 01:30
Europe/Berlin temporal    2026-03-29T01:30:00.000Z
Europe/Berlin luxon       2026-03-29T01:30:00.000Z
America/New_York date-fns-tz 2026-03-08T06:30:00.000Z shown as 01:30
America/New_York temporal    2026-03-08T07:30:00.000Z
America/New_York luxon       2026-03-08T07:30:00.000Z
EOF
