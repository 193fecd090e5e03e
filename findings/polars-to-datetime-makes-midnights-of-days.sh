#!/usr/bin/env bash
# A Polars Series' str.to_datetime without a format reads days, minutes, seconds and fractions in one column, and turns a day into its midnight.
# versions: polars 2.1.0; observed 2026-11-28. pandas 3.1.1 raises an error on each of these columns.
# guessed: Texts in different forms raise unless a format is given (65 %).
# seen: No error. A day and a performance at midnight are equal. Offsets `-05`, `-0500` and `-05:00` are accepted and converted to UTC. An expression, unlike a Series, refuses the offsets.
# matters: Lists whose `date` is sometimes only a day, which a conversion to a zone moves to another day. First separate the texts without a `T`.
# needs: python 3.11
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv env
env/bin/pip install -q polars==2.1.0 tzdata==2026.6

cat > program.py <<'EOF'
import polars as pl

def show(*texts):
    times = pl.Series(texts).str.to_datetime()
    print(times.dtype, [time.isoformat() for time in times])
    return times

days = show("2025-12-18", "2025-12-18T00:00", "2025-12-18T19:30", "2025-12-18T19:30:00.123")
print("a day equals its midnight:", days[0] == days[1])
print("in New York:", days.dt.replace_time_zone("UTC").dt.convert_time_zone("America/New_York").dt.date()[0])
column = pl.DataFrame({"date": ["2025-12-18", "2025-12-18T19:30"]})
print("expression:", column.select(pl.col("date").str.to_datetime())["date"].to_list())
show("2025-12-18T19:30:00-05", "2025-12-18T19:30:00-0500", "2025-06-18T19:30-04:00")
EOF

diff <(env/bin/python program.py) - <<'EOF'
Datetime(time_unit='us', time_zone=None) ['2025-12-18T00:00:00', '2025-12-18T00:00:00', '2025-12-18T19:30:00', '2025-12-18T19:30:00.123000']
a day equals its midnight: True
in New York: 2025-12-17
expression: [datetime.datetime(2025, 12, 18, 0, 0), datetime.datetime(2025, 12, 18, 19, 30)]
Datetime(time_unit='us', time_zone='UTC') ['2025-12-19T00:30:00+00:00', '2025-12-19T00:30:00+00:00', '2025-06-18T23:30:00+00:00']
EOF
