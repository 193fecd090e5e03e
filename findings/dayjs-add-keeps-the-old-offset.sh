#!/usr/bin/env bash
# A dayjs time with a zone keeps its offset when a day is added across a clock change, so the instant is an hour off.
# versions: dayjs 1.11.23; observed 2026-11-28
# guessed: 19:30 plus a day is 19:30 with the next day's offset (60 %).
# seen: 19:30 with the old offset: the instant is 20:30 in London in March, and 18:30 in New York in November.
# matters: Series of performances, and reminders a day before, that are computed with `add`. Add to the local text and call dayjs.tz again, or use Temporal.ZonedDateTime.
# needs: node 20, npm
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
echo '{"type":"module"}' > package.json
npm install --silent --no-audit --no-fund dayjs@1.11.23

cat > program.mjs <<'EOF'
import dayjs from "dayjs";
import timezone from "dayjs/plugin/timezone.js";
import utc from "dayjs/plugin/utc.js";

dayjs.extend(utc);
dayjs.extend(timezone);
for (const [text, zone] of [["2026-03-28T19:30", "Europe/London"], ["2026-10-31T19:30", "America/New_York"]]) {
  const next = dayjs.tz(text, zone).add(1, "day");
  console.log(zone, next.format(), "is", dayjs(next.valueOf()).tz(zone).format());
  console.log(zone, "again from the text:", dayjs.tz(dayjs.utc(text).add(1, "day").format("YYYY-MM-DDTHH:mm"), zone).format());
}
EOF

diff <(TZ=UTC node program.mjs) - <<'EOF'
Europe/London 2026-03-29T19:30:00Z is 2026-03-29T20:30:00+01:00
Europe/London again from the text: 2026-03-29T19:30:00+01:00
America/New_York 2026-11-01T19:30:00-04:00 is 2026-11-01T18:30:00-05:00
America/New_York again from the text: 2026-11-01T19:30:00-05:00
EOF
