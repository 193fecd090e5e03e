#!/usr/bin/env bash
# currency.js rounds halves up, not away from zero: a payment of 12.345 is 12.35, its refund of -12.345 is -12.34.
# versions: currency.js 2.0.4; observed 2026-11-28
# guessed: -1.005 is -1.01 and, without decimals, -0.5 is -1 (55 %).
# seen: -1.00 and -0; the positive amounts are 1.01 and 1. A charge and its refund differ by a cent.
# matters: Reports that compute shares or fees from sales and refunds. Round the absolute value and restore the sign, or compute in integers of the smallest unit.
# needs: node 20, npm
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
echo '{"type":"module"}' > package.json
npm install --silent --no-audit --no-fund currency.js@2.0.4

cat > program.mjs <<'EOF'
import currency from "currency.js";

for (const amount of [1.005, 12.345, 0.125]) {
  const [paid, refunded] = [currency(amount), currency(-amount)];
  console.log(amount, `paid ${paid}, refunded ${refunded}, left ${paid.add(refunded)}`);
}
const yen = { precision: 0 };
console.log("¥0.5", currency(0.5, yen).value, currency(-0.5, yen).value);
console.log("5 % of ±24.90", currency(24.9).multiply(0.05).value, currency(-24.9).multiply(0.05).value);
EOF

diff <(node program.mjs) - <<'EOF'
1.005 paid 1.01, refunded -1.00, left 0.01
12.345 paid 12.35, refunded -12.34, left 0.01
0.125 paid 0.13, refunded -0.12, left 0.01
¥0.5 1 -0
5 % of ±24.90 1.25 -1.24
EOF
