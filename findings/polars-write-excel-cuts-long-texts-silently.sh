#!/usr/bin/env bash
# Polars' write_excel cuts a text after 32,767 characters without a warning.
# versions: polars 2.1.0, xlsxwriter 3.3.1; observed 2026-11-28
# guessed: The cell is lost, because XlsxWriter refuses a longer text (55 %).
# seen: The cell has the first 32,767 characters. pandas 3.1.1 warns, SheetJS 0.18.5 and Apache POI 5.4.1 throw, and ExcelJS 4.4.0 writes everything.
# matters: Reports with descriptions, or with all tickets of an order joined in one cell. Compare the lengths before you write.
# needs: python 3.11
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv env
env/bin/pip install -q polars==2.1.0 xlsxwriter==3.3.1 openpyxl==3.1.5

cat > program.py <<'EOF'
import warnings
import openpyxl
import polars

barcodes = ", ".join(str(7001420080000 + i) for i in range(3000))
with warnings.catch_warnings(record=True) as caught:
    warnings.simplefilter("always")
    polars.DataFrame({"order": [501], "barcodes": [barcodes]}).write_excel("orders.xlsx")
    print("warnings about the length:", sum("32767" in str(warning.message) for warning in caught))
cell = openpyxl.load_workbook("orders.xlsx").active["B2"].value
print("characters given, stored:", len(barcodes), len(cell))
print("ends with", cell[-20:])
EOF

diff <(env/bin/python program.py) - <<'EOF'
warnings about the length: 0
characters given, stored: 44998 32767
ends with 01420082183, 7001420
EOF
