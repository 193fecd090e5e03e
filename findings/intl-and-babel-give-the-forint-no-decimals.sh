#!/usr/bin/env bash
# Intl.NumberFormat of Node and Babel for Python give the forint no decimals, although ISO 4217 gives it two.
# versions: Node 24.21.0 (ICU 78.3), Babel 2.19.0; ISO 4217 as in currency-codes 2.2.0 (published 2024-06-25) and java.util.Currency; observed 2026-11-28
# guessed: Two for HUF in Babel (80 %) and in Intl of older Node (70 %).
# seen: None in both: 1250 fillér (12.50 Ft) become "13 Ft", but "12,50 Ft" in Java 17. Dividing by a power of ten from these digits shows 1250 Ft, a hundred times too much. Other currencies also differ from ISO 4217, and the two libraries disagree on PKR.
# matters: Anybody who turns minor units into a price with `resolvedOptions().maximumFractionDigits` or `get_currency_precision`. Take the exponent from ISO 4217, the display from the locale.
# needs: node 20, npm, python 3.11
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
echo '{"type":"module"}' > package.json
npm install --silent --no-audit --no-fund node@24.21.0 currency-codes@2.2.0
python3 -m venv env
env/bin/pip install -q Babel==2.19.0

cat > program.mjs <<'EOF'
import codes from "currency-codes";

for (const currency of ["EUR", "JPY", "HUF", "COP", "IDR", "IQD", "PKR", "TWD"]) {
  const format = new Intl.NumberFormat("hu", { style: "currency", currency });
  console.log(currency, "ISO", codes.code(currency).digits, "Intl", format.resolvedOptions().maximumFractionDigits);
}
console.log(new Intl.NumberFormat("hu", { style: "currency", currency: "HUF" }).format(12.5).replace(/\s/, " "));
EOF
cat > program.py <<'EOF'
from babel.numbers import get_currency_precision

print("Babel", *(f"{code} {get_currency_precision(code)}" for code in ("EUR", "JPY", "HUF", "COP", "IDR", "IQD", "PKR", "TWD")))
EOF

diff <(node_modules/.bin/node program.mjs && env/bin/python program.py) - <<'EOF'
EUR ISO 2 Intl 2
JPY ISO 0 Intl 0
HUF ISO 2 Intl 0
COP ISO 2 Intl 0
IDR ISO 2 Intl 0
IQD ISO 3 Intl 0
PKR ISO 2 Intl 0
TWD ISO 2 Intl 2
13 Ft
Babel EUR 2 JPY 0 HUF 0 COP 0 IDR 0 IQD 0 PKR 2 TWD 2
EOF
