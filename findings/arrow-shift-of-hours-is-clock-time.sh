#!/usr/bin/env bash
# Arrow's shift(hours=24) over a change of the clock keeps the clock time.
# versions: arrow 1.4.0, pendulum 3.3.0, tzdata 2026.6; observed 2026-11-28
# guessed: Hours are elapsed time, as in Pendulum and pandas (60 %).
# seen: shift(hours=24) and shift(days=1) are equal: 23 hours in March, 25 in October. One hour into the gap is pushed on, so hours=1 and hours=2 from 00:30 are equal.
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
    print("arrow   ", later, "elapsed", later.to("utc") - start.to("utc"))
    begin = pendulum.datetime(2026, month, day, 19, 30, tz=zone)
    print("pendulum", begin.add(hours=24), "elapsed", begin.add(hours=24).in_tz("UTC") - begin.in_tz("UTC"))
night = arrow.get(2026, 3, 29, 0, 30, tzinfo=zone)
print("one and two hours:", night.shift(hours=1), night.shift(hours=2))
print("in UTC:           ", night.to("utc").shift(hours=24).to(zone))
EOF

diff <(env/bin/python program.py) - <<'EOF'
EOF
