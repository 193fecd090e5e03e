#!/usr/bin/env bash
# DuckDB's CSV reader makes a boolean of a column that has only T and F, such as the seat rows of a small box.
# versions: duckdb 2.0.1; observed 2026-11-29
# guessed: A text (60 %).
# seen: BOOLEAN, and row F is shown as false. With a third row G, or with Y and N, the column is text. PyArrow 26.0.1, Polars 2.1.0 and pandas 3.1.1 keep T and F.
# matters: Reports by row or by price category (T, F). Declare the type: `types = {'row': 'VARCHAR'}`, or `all_varchar = true`.
# needs: python 3.11
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv env
env/bin/pip install -q duckdb==2.0.1

cat > program.py <<'PY'
import duckdb

for rows in (["T", "F"], ["T", "F", "G"], ["Y", "N"]):
    with open("seats.csv", "w") as file:
        file.write("row,seat\n" + "".join(f"{row},1\n" for row in rows))
    print(duckdb.sql("SELECT typeof(row), row::VARCHAR FROM read_csv('seats.csv')").fetchall())
print(duckdb.sql("SELECT row FROM read_csv('seats.csv', types = {'row': 'VARCHAR'})").fetchall())
PY

diff <(env/bin/python program.py) - <<'SEEN'
[('BOOLEAN', 'true'), ('BOOLEAN', 'false')]
[('VARCHAR', 'T'), ('VARCHAR', 'F'), ('VARCHAR', 'G')]
[('VARCHAR', 'Y'), ('VARCHAR', 'N')]
[('Y',), ('N',)]
SEEN
