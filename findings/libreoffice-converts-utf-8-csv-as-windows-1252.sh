#!/usr/bin/env bash
# LibreOffice's --convert-to reads a CSV file in UTF-8 as Windows-1252, even if it begins with a byte order mark.
# versions: LibreOffice 7.4.7 (Debian 12) with LC_ALL=C.UTF-8; observed 2026-11-29
# guessed: Zoë, as in the system's character set (70 %), and certainly after a byte order mark (80 %).
# seen: ZoÃ«, and the mark becomes part of the first header. The exit code is 0.
# matters: Nightly jobs that convert exports into XLSX. Name the character set, 76 for UTF-8: `--infilter=CSV:44,34,76`.
# needs: debian 12 with libreoffice-calc-nogui, python 3.11
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv env
env/bin/pip install -q openpyxl==3.1.5
export LC_ALL=C.UTF-8
convert() { soffice --headless "-env:UserInstallation=file://$folder/profile" "$@" > /dev/null 2>&1; }
printf 'name,price\nZoë,24\n' > plain.csv
printf '\xef\xbb\xbfname,price\nZoë,24\n' > marked.csv
cp plain.csv named.csv
convert --convert-to xlsx plain.csv marked.csv
convert --infilter=CSV:44,34,76 --convert-to xlsx named.csv
cat > read.py <<'PY'
import sys
import warnings

import openpyxl

warnings.simplefilter("ignore")
for name in sys.argv[1:]:
    for row in openpyxl.load_workbook(name).active.iter_rows(values_only=True):
        print(name, *map(repr, row))
PY

diff <(env/bin/python read.py plain.xlsx marked.xlsx named.xlsx) - <<'SEEN'
plain.xlsx 'name' 'price'
plain.xlsx 'ZoÃ«' 24
marked.xlsx 'ï»¿name' 'price'
marked.xlsx 'ZoÃ«' 24
named.xlsx 'name' 'price'
named.xlsx 'Zoë' 24
SEEN
