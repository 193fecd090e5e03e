#!/usr/bin/env bash
# Polars' read_csv with try_parse_dates reads seats such as 1-2-14 (block, row, seat) as days of the year 14.
# versions: polars 2.1.0; observed 2026-11-29
# guessed: A text (70 %).
# seen: 0014-02-01, for 1-2-14, 1/2/14 and 1.2.14. A single seat such as 1-13-2, which is no day, leaves the column as text. DuckDB 2.0.1 also guesses, the year 2014.
# matters: Pipelines that switch it on for the API's times: the type of seats depends on the day's data. Use `schema_overrides` and `str.to_datetime` instead.
# needs: python 3.11
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv env
env/bin/pip install -q polars==2.1.0

cat > program.py <<'PY'
import polars

for seats in (["1-2-14", "3-4-15"], ["1/2/14"], ["1.2.14"], ["1-2-14", "1-13-2"], ["1-2"]):
    column = polars.read_csv("\n".join(["seat", *seats]).encode(), try_parse_dates=True)["seat"]
    print(seats, column.dtype, [str(seat) for seat in column])
PY

diff <(env/bin/python program.py) - <<'SEEN'
['1-2-14', '3-4-15'] Date ['0014-02-01', '0015-04-03']
['1/2/14'] Date ['0014-02-01']
['1.2.14'] Date ['0014-02-01']
['1-2-14', '1-13-2'] String ['1-2-14', '1-13-2']
['1-2'] String ['1-2']
SEEN
