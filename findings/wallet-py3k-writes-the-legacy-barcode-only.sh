#!/usr/bin/env bash
# wallet-py3k writes only the legacy key `barcode`, and does not know Code 128.
# versions: wallet-py3k 0.0.4, py-pkpass 1.0.2 (its fork); observed 2026-11-28
# guessed: A Code 128 ticket gets a list `barcodes`, and a PDF417 symbol in `barcode` for old phones (50 %).
# seen: No list and no such format. The default is PDF417, not QR. The fork py-pkpass writes both keys.
# matters: Python services that issue tickets. Code that validates or reads `barcodes` finds none; use a library that writes it, and name the format.
# needs: python 3.11
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv env
env/bin/pip install -q wallet-py3k==0.0.4 py-pkpass==1.0.2

cat > program.py <<'EOF'
from py_pkpass import models as fork
from wallet import models as wallet

for name, models in (("wallet-py3k", wallet), ("py-pkpass", fork)):
    ticket = models.EventTicket()
    ticket.addPrimaryField("seat", "A 12", "Seat")
    about = {"passTypeIdentifier": "pass.org.example", "organizationName": "O", "teamIdentifier": "T"}
    pass_ = models.Pass(ticket, **about)
    pass_.barcode = models.Barcode(message="0012345")
    keys = [key for key in ("barcode", "barcodes") if key in pass_.json_dict()]
    print(name, keys, pass_.barcode.format, "Code 128:", hasattr(models.BarcodeFormat, "CODE128"))
EOF

diff <(env/bin/python program.py) - <<'EOF'
wallet-py3k ['barcode'] PKBarcodeFormatPDF417 Code 128: False
py-pkpass ['barcode', 'barcodes'] PKBarcodeFormatPDF417 Code 128: True
EOF
