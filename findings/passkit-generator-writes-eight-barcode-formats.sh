#!/usr/bin/env bash
# passkit-generator's setBarcodes, given a text, writes eight formats, not only the four that Wallet has long accepted.
# versions: passkit-generator 3.6.1; observed 2026-11-28
# guessed: QR, PDF417, Aztec and Code 128 (65 %); Code 39 is left out as unknown (65 %).
# seen: Also Code 39, Codabar, EAN-13 and Interleaved 2 of 5, even for a text that some of these cannot encode.
# matters: Programs that read passes, and door staff whose readers take "any of the pass's formats". Pass one object with `format`, `message` and `messageEncoding` instead.
# needs: node 20, npm
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
echo '{"type":"module"}' > package.json
npm install --silent --no-audit --no-fund passkit-generator@3.6.1

cat > program.mjs <<'EOF'
import { PKPass } from "passkit-generator";

const certificates = { wwdr: "-", signerCert: "-", signerKey: "-" };
function barcodesOf(...parameters) {
  const pass = new PKPass({}, certificates, { serialNumber: "50116", description: "Ticket" });
  pass.setBarcodes(...parameters);
  return pass.props.barcodes;
}
for (const { format, message } of barcodesOf("VIP-0012345")) console.log(format, message);
console.log(barcodesOf({ format: "PKBarcodeFormatQR", message: "VIP-0012345" }));
EOF

diff <(node program.mjs) - <<'EOF'
PKBarcodeFormatQR VIP-0012345
PKBarcodeFormatPDF417 VIP-0012345
PKBarcodeFormatAztec VIP-0012345
PKBarcodeFormatCode128 VIP-0012345
PKBarcodeFormatCode39 VIP-0012345
PKBarcodeFormatCodabar VIP-0012345
PKBarcodeFormatEAN13 VIP-0012345
PKBarcodeFormatI2of5 VIP-0012345
[
  {
    format: 'PKBarcodeFormatQR',
    message: 'VIP-0012345',
    messageEncoding: 'iso-8859-1'
  }
]
EOF
