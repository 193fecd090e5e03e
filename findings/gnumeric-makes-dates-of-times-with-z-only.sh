#!/usr/bin/env bash
# Gnumeric makes a date of 2026-12-18T19:30:00Z, with a literal Z in its format, but leaves 2026-12-18T19:30:00+01:00 as text.
# versions: Gnumeric 1.12.55 (Debian 12); observed 2026-11-29
# guessed: 2026-12-18T19:30:00Z stays text (60 %).
# seen: A column with both has dates and texts: sorting puts all dates before all texts, and sums and filters miss the texts.
# matters: Spreadsheets of the API's times, of which some are in UTC. Rewrite them all in one zone before the import.
# needs: debian 12 with gnumeric, python 3.11
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv env
env/bin/pip install -q openpyxl==3.1.5
printf '%s\n' starts_at 2026-12-18T19:30:00Z 2026-12-18T19:30:00+01:00 2026-12-18T19:30:00.500Z 2026-12-18T19:30:00 > dates.csv
ssconvert dates.csv dates.xlsx > /dev/null 2>&1

cat > program.py <<'PY'
import warnings

import openpyxl

warnings.simplefilter("ignore")
for (cell,) in openpyxl.load_workbook("dates.xlsx").active["A2:A5"]:
    print(type(cell.value).__name__, cell.value, cell.number_format)
PY

diff <(env/bin/python program.py) - <<'SEEN'
datetime 2026-12-18 19:30:00 yyyy-mm-dd"T"hh:mm:ss"Z"
str 2026-12-18T19:30:00+01:00 General
datetime 2026-12-18 19:30:00.500000 yyyy-mm-dd"T"hh:mm:ss"Z"
str 2026-12-18T19:30:00 General
SEEN
