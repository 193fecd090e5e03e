#!/usr/bin/env bash
# LibreOffice's --convert-to leaves each line of a file with the ending .tsv in one cell.
# versions: LibreOffice 7.4.7 (Debian 12); observed 2026-11-29
# guessed: Two columns, split by the tab (70 %).
# seen: One column with tabs in its texts. The same bytes with the ending .csv are one column, too.
# matters: Jobs that convert exports of databases. Name the separator, 9 for the tab: `--infilter=CSV:9,34,76`.
# needs: debian 12 with libreoffice-calc-nogui, python 3.11
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv env
env/bin/pip install -q openpyxl==3.1.5
export LC_ALL=C.UTF-8
convert() { soffice --headless "-env:UserInstallation=file://$folder/profile" "$@" > /dev/null 2>&1; }
printf 'order\tprice\n501\t24\n' | tee ending.tsv other.csv > named.tsv
convert --convert-to xlsx ending.tsv other.csv
convert --infilter=CSV:9,34,76 --convert-to xlsx named.tsv
cat > read.py <<'PY'
import sys
import warnings

import openpyxl

warnings.simplefilter("ignore")
for name in sys.argv[1:]:
    for row in openpyxl.load_workbook(name).active.iter_rows(values_only=True):
        print(name, *map(repr, row))
PY

diff <(env/bin/python read.py ending.xlsx other.xlsx named.xlsx) - <<'SEEN'
ending.xlsx 'order\tprice'
ending.xlsx '501\t24'
other.xlsx 'order\tprice'
other.xlsx '501\t24'
named.xlsx 'order' 'price'
named.xlsx 501 24
SEEN
