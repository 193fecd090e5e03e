#!/usr/bin/env bash
# PyArrow's CSV reader reads phone numbers with a leading plus as doubles. DuckDB keeps them as texts.
# versions: pyarrow 26.0.1, duckdb 2.0.1, pandas 3.1.1; observed 2026-11-29
# guessed: DuckDB makes a BIGINT of +12, without the sign (55 %).
# seen: DuckDB: VARCHAR with the plus. PyArrow: double, since its integers allow no plus but its doubles do. pandas: int64.
# matters: Copies of people for a call list: 46701234567.0 cannot be called, and matches no other list. Declare `phone` as a string, as the API does.
# needs: python 3.11
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv env
env/bin/pip install -q duckdb==2.0.1 pyarrow==26.0.1 pandas==3.1.1

cat > program.py <<'PY'
import duckdb
import pandas
import pyarrow.csv

with open("people.csv", "w") as file:
    file.write("phone,email\n+46701234567,zoe@example.com\n")
print("duckdb", duckdb.sql("SELECT typeof(phone), phone FROM read_csv('people.csv')").fetchall())
column = pyarrow.csv.read_csv("people.csv")["phone"]
print("pyarrow", column.type, column.to_pylist())
column = pandas.read_csv("people.csv")["phone"]
print("pandas", column.dtype, column.tolist())
PY

diff <(env/bin/python program.py) - <<'SEEN'
duckdb [('VARCHAR', '+46701234567')]
pyarrow double [46701234567.0]
pandas int64 [46701234567]
SEEN
