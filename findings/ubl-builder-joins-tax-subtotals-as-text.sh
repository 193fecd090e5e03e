#!/usr/bin/env bash
# ubl-builder's calculateTotalTaxAmount joins the subtotals as text: of 10.05 and 1.91 it makes "010.051.91".
# versions: ubl-builder 1.4.5, Node 20; observed 2026-11-29
# guessed: "11.96" (65 %).
# seen: Subtotals given as text are joined behind a 0. Subtotals given as numbers are added as binary fractions, without rounding.
# matters: Invoices with several tax rates, for example tickets and drinks. Add integers of the smallest unit, and give the library the sum as text.
# needs: node 20, npm
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
echo '{}' > package.json
npm install --silent --no-audit --no-fund --ignore-scripts ubl-builder@1.4.5

cat > program.cjs <<'JS'
const { TaxCategory, TaxScheme, TaxSubtotal, TaxTotal } = require("ubl-builder/lib/ubl21/CommonAggregateComponents");

const taxCategory = new TaxCategory({ percent: "19.00", taxScheme: new TaxScheme({ id: "VAT" }) });
for (const amounts of [["10.05", "1.91"], ["5.73"], ["-1.91"], [0.1, 0.2]]) {
  const taxSubtotals = amounts.map((taxAmount) => new TaxSubtotal({ taxableAmount: "100.00", taxAmount, taxCategory }));
  const total = new TaxTotal({ taxAmount: "0.00", taxSubtotals }).calculateTotalTaxAmount();
  console.log(JSON.stringify(amounts), JSON.stringify(total));
}
JS

diff <(node program.cjs) - <<'SEEN'
["10.05","1.91"] "010.051.91"
["5.73"] "05.73"
["-1.91"] "0-1.91"
[0.1,0.2] 0.30000000000000004
SEEN
