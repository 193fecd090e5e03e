#!/usr/bin/env bash
# LibreOffice's --convert-to csv writes money without its format: a cell that shows -24.00 becomes -24, and 1,234.50 kr becomes 1234.5.
# versions: LibreOffice 7.4.7 (Debian 12), xlsxwriter 3.3.1; observed 2026-11-29
# guessed: -24.00 (70 %); 7.33E+12 for a barcode in the format General (55 %).
# seen: -24, 1234.5, and all digits of the barcode; but 1E+021, with three digits, for 1e21. A date that shows 18.12.2026 19:30 becomes 12/18/2026 19:30:00.
# matters: Imports that require two decimals, or compare amounts as texts. Name the option "as shown": `--convert-to 'csv:Text - txt - csv (StarCalc):44,34,76,1,,0,false,true'`.
# needs: debian 12 with libreoffice-calc-nogui, python 3.11
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv env
env/bin/pip install -q xlsxwriter==3.3.1

cat > program.py <<'PY'
import datetime

import xlsxwriter

with xlsxwriter.Workbook("orders.xlsx") as workbook:
    sheet = workbook.add_worksheet()
    for column, (value, number_format) in enumerate([(-24, "0.00"), (1234.5, '#,##0.00 "kr"'), (7331090050219, "General"), (1e21, "General")]):
        sheet.write_number(0, column, value, workbook.add_format({"num_format": number_format}))
    sheet.write_datetime(0, 4, datetime.datetime(2026, 12, 18, 19, 30), workbook.add_format({"num_format": "dd.mm.yyyy hh:mm"}))
PY
env/bin/python program.py
for filter in csv "csv:Text - txt - csv (StarCalc):44,34,76,1,,0,false,true"; do
  soffice --headless "-env:UserInstallation=file://$folder/profile" --convert-to "$filter" orders.xlsx > /dev/null 2>&1
  cat orders.csv >> seen
done

diff seen - <<'SEEN'
-24,1234.5,7331090050219,1E+021,12/18/2026 19:30:00
-24.00,"1,234.50 kr",7331090050219,1E+021,18.12.2026 19:30
SEEN
