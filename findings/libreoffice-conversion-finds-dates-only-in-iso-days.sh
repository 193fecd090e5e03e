#!/usr/bin/env bash
# LibreOffice's --convert-to makes dates only of days such as 2026-12-18: 1/2, 12:30, 50% and TRUE stay texts.
# versions: LibreOffice 7.4.7 (Debian 12), locale en-US; observed 2026-11-29
# guessed: 1/2 is a date (65 %), 12:30 a time (85 %), 50% 0.5 (80 %); 1-2 a text (60 %), 1E5 and 007 numbers (85 %, 90 %).
# seen: Texts, except 1E5 and 007. With the option that the window calls "Detect special numbers", the guesses hold.
# matters: A conversion on a server and one by hand differ in their types. Times with an offset are texts in both; declare seats as texts (column format 2).
# needs: debian 12 with libreoffice-calc-nogui, python 3.11
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv env
env/bin/pip install -q openpyxl==3.1.5
export LC_ALL=C.UTF-8
convert() { soffice --headless "-env:UserInstallation=file://$folder/profile" "$@" > /dev/null 2>&1; }
printf '%s\n' 1-2 1/2 12:30 50% TRUE 1E5 007 2026-12-18 2026-12-18T19:30:00+01:00 | tee plain.csv detected.csv > text.csv
convert --convert-to xlsx plain.csv
convert --infilter=CSV:44,34,76,1,,1033,false,true --convert-to xlsx detected.csv
convert --infilter=CSV:44,34,76,1,1/2 --convert-to xlsx text.csv
cat > read.py <<'PY'
import sys
import warnings

import openpyxl

warnings.simplefilter("ignore")
for name in sys.argv[1:]:
    for row in openpyxl.load_workbook(name).active.iter_rows(values_only=True):
        print(name, *map(repr, row))
PY

diff <(env/bin/python read.py plain.xlsx detected.xlsx text.xlsx) - <<'SEEN'
plain.xlsx '1-2'
plain.xlsx '1/2'
plain.xlsx '12:30'
plain.xlsx '50%'
plain.xlsx 'TRUE'
plain.xlsx 100000
plain.xlsx 7
plain.xlsx datetime.datetime(2026, 12, 18, 0, 0)
plain.xlsx '2026-12-18T19:30:00+01:00'
detected.xlsx '1-2'
detected.xlsx datetime.datetime(2026, 1, 2, 0, 0)
detected.xlsx datetime.time(12, 30)
detected.xlsx 0.5
detected.xlsx True
detected.xlsx 100000
detected.xlsx 7
detected.xlsx datetime.datetime(2026, 12, 18, 0, 0)
detected.xlsx '2026-12-18T19:30:00+01:00'
text.xlsx '1-2'
text.xlsx '1/2'
text.xlsx '12:30'
text.xlsx '50%'
text.xlsx 'TRUE'
text.xlsx '1E5'
text.xlsx '007'
text.xlsx '2026-12-18'
text.xlsx '2026-12-18T19:30:00+01:00'
SEEN
