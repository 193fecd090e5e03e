#!/usr/bin/env bash
# dinero.js' allocate by ratios with decimals returns shares in tenths of a cent instead of whole cents.
# versions: dinero.js 2.0.2; observed 2026-11-28
# guessed: 1.00 EUR in the ratio 50.5 to 49.5 is 51 and 49 cents, at scale 2 (50 %).
# seen: 505 and 495 at scale 3; for 1.01 EUR 511 and 499. Banks transfer no tenths of a cent; cut to cents, the two shares are a cent short.
# matters: Payouts to organisers and venues by percentages such as 97.5. Use whole ratios, such as 975 to 25: the shares are then whole cents and add up.
# needs: node 20, npm
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
echo '{"type":"module"}' > package.json
npm install --silent --no-audit --no-fund dinero.js@2.0.2

cat > program.mjs <<'EOF'
import { allocate, dinero, toSnapshot, transformScale } from "dinero.js";

const EUR = { code: "EUR", base: 10, exponent: 2 };
const sale = dinero({ amount: 101, currency: EUR });
const show = (shares) => shares.map((share) => `${toSnapshot(share).amount} at scale ${toSnapshot(share).scale}`).join(", ");
const withDecimals = allocate(sale, [{ amount: 505, scale: 1 }, { amount: 495, scale: 1 }]);
console.log("50.5 : 49.5 ", show(withDecimals));
console.log("in cents    ", show(withDecimals.map((share) => transformScale(share, 2))));
console.log("505 : 495   ", show(allocate(sale, [505, 495])));
EOF

diff <(node program.mjs) - <<'EOF'
50.5 : 49.5  511 at scale 3, 499 at scale 3
in cents     51 at scale 2, 49 at scale 2
505 : 495    52 at scale 2, 49 at scale 2
EOF
