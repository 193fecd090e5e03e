#!/usr/bin/env bash
# ExcelJS writes texts unescaped but decodes _xHHHH_ when it reads, so fest_x2026_vip returns as fest…vip.
# versions: exceljs 4.4.0, openpyxl 3.1.5; observed 2026-11-28
# guessed: ExcelJS reads back the text that it wrote (60 %).
# seen: The seven characters `_x2026_` become one. openpyxl keeps the text of the same file.
# matters: Workbooks whose tags, references or discount codes have a year between `_x` and `_`, as in "art_x2026_gala". Write `_x005F_` for an underscore before `xHHHH_`, as Excel does.
# needs: node 20, npm, python 3.11
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
echo '{"type":"module"}' > package.json
npm install --silent --no-audit --no-fund exceljs@4.4.0
python3 -m venv env
env/bin/pip install -q openpyxl==3.1.5

cat > program.mjs <<'EOF'
import ExcelJS from "exceljs";

const written = new ExcelJS.Workbook();
written.addWorksheet("codes").addRows([["tag"], ["fest_x2026_vip"], ["fest_x005F_x2026_vip"]]);
await written.xlsx.writeFile("codes.xlsx");
const read = new ExcelJS.Workbook();
await read.xlsx.readFile("codes.xlsx");
console.log("exceljs", read.worksheets[0].getColumn(1).values.slice(2));
EOF
cat > program.py <<'EOF'
import openpyxl

print("openpyxl", [cell.value for cell in openpyxl.load_workbook("codes.xlsx").active["A"][1:]])
EOF

diff <(node program.mjs && env/bin/python program.py) - <<'EOF'
exceljs [ 'fest…vip', 'fest_x2026_vip' ]
openpyxl ['fest_x2026_vip', 'fest_x2026_vip']
EOF
