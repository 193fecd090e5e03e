#!/usr/bin/env bash
# Arrow's shift(hours=24) across a clock change keeps the local time.
# versions: arrow 1.4.0, pendulum 3.3.0, tzdata 2026.6; observed 2026-11-28
# guessed: Hours are elapsed time (60 %).
# seen: Pendulum adds elapsed hours. In Arrow, shift(hours=24) equals shift(days=1): 23 hours in March, 25 in October. A time in the gap moves forward, so hours=1 and hours=2 from 00:30 are equal.
# matters: Reminders "24 hours before", holds that expire after hours, and time-outs. Shift in UTC, then convert to the zone.
# needs: python 3.11
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv env
env/bin/pip install -q arrow==1.4.0 pendulum==3.3.0 tzdata==2026.6

cat > program.py <<'EOF'
import arrow
import pendulum

zone = "Europe/London"
for month, day in ((3, 28), (10, 24)):
    start = arrow.get(2026, month, day, 19, 30, tzinfo=zone)
    later = start.shift(hours=24)
    print("arrow   ", later, "after hours:", (later.timestamp() - start.timestamp()) / 3600)
    begin = pendulum.datetime(2026, month, day, 19, 30, tz=zone)
    print("pendulum", begin.add(hours=24), "after hours:", (begin.add(hours=24).timestamp() - begin.timestamp()) / 3600)
night = arrow.get(2026, 3, 29, 0, 30, tzinfo=zone)
print("one and two hours:", night.shift(hours=1), night.shift(hours=2))
print("in UTC:           ", night.to("utc").shift(hours=24).to(zone))
EOF

diff <(env/bin/python program.py) - <<'EOF'
arrow    2026-03-29T19:30:00+01:00 after hours: 23.0
pendulum 2026-03-29 20:30:00+01:00 after hours: 24.0
arrow    2026-10-25T19:30:00+00:00 after hours: 25.0
pendulum 2026-10-25 18:30:00+00:00 after hours: 24.0
one and two hours: 2026-03-29T02:30:00+01:00 2026-03-29T02:30:00+01:00
in UTC:            2026-03-30T01:30:00+01:00
EOF
