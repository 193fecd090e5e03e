#!/usr/bin/env bash
# Polars' write_excel raises on a column of times with a zone, although its CSV writer accepts it.
# versions: polars 2.1.0, xlsxwriter 3.3.1; observed 2026-11-28
# guessed: It writes the local clock time and drops the zone (55 %).
# seen: TypeError from XlsxWriter. A column of times in UTC, such as changed_at, is refused too.
# matters: Reports of dates and changes: a column read from texts with an offset is in UTC. Convert to the event's zone, then remove it with `dt.replace_time_zone(None)`.
# needs: python 3.11
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv env
env/bin/pip install -q polars==2.1.0 xlsxwriter==3.3.1 openpyxl==3.1.5 tzdata==2026.6

cat > program.py <<'EOF'
import openpyxl
import polars as pl

times = pl.DataFrame({"date": pl.Series(["2025-12-18T19:30:00-05:00"]).str.to_datetime()})
print(times.schema["date"], times.write_csv().split()[1])
try:
    times.write_excel("dates.xlsx")
    print("written")
except TypeError as error:
    print("TypeError:", str(error).split(".")[0])
local = times.select(pl.col("date").dt.convert_time_zone("America/New_York").dt.replace_time_zone(None))
local.write_excel("dates.xlsx")
print(openpyxl.load_workbook("dates.xlsx").active["A2"].value)
EOF

diff <(env/bin/python program.py) - <<'EOF'
Datetime(time_unit='us', time_zone='UTC') 2025-12-19T00:30:00.000000+0000
TypeError: Excel doesn't support timezones in datetimes
2025-12-18 19:30:00
EOF
