#!/usr/bin/env bash
# zxing-cpp returns a Codabar symbol with the letters that start and stop it, which other readers remove.
# versions: zxing-cpp 3.1.1, python-barcode 0.16.1; observed 2026-11-29
# guessed: 7331050, without the letters (60 %).
# seen: A7331050B, as printed. The letters differ among printing programs, so one number has several texts.
# matters: Doors and libraries with old cards. Look up the text as read and without the letters at its ends, or print QR codes.
# needs: python 3.11
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv env
env/bin/pip install -q zxing-cpp==3.1.1 python-barcode==0.16.1 pillow==13.0.0

cat > program.py <<'PY'
import io

import barcode
import zxingcpp
from barcode.writer import ImageWriter
from PIL import Image

for name, text in (("codabar", "A7331050B"), ("codabar", "C7331050D"), ("code39", "7331050")):
    file = io.BytesIO()
    barcode.get(name, text, writer=ImageWriter()).write(file, options={"write_text": False})
    for read in zxingcpp.read_barcodes(Image.open(file)):
        print(f"{name} {text} is read as {read.text}")
PY

diff <(env/bin/python program.py) - <<'SEEN'
codabar A7331050B is read as A7331050B
codabar C7331050D is read as C7331050D
code39 7331050 is read as 7331050J
SEEN
