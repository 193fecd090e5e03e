#!/usr/bin/env bash
# python-escpos prints the euro sign from the Greek code page ISO 8859-7, although its profile has the page 858, which printers know.
# versions: python-escpos 3.1, and node-thermal-printer 4.6.1 in the same way; observed 2026-11-29
# guessed: ESC t 19 (code page 858) and the byte D5 (60 %).
# seen: ESC t 15 and A4: the first page of the list that has the character. The euro sign joined ISO 8859-7 in 2003, so older firmware prints another character there.
# matters: Box offices whose receipts show a wrong character before each price. Select the page with `charcode("CP858")`, and print a test ticket.
# needs: python 3.11
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv env
env/bin/pip install -q python-escpos==3.1

cat > program.py <<'PY'
from escpos.printer import Dummy

for page in ("AUTO", "CP858"):
    for text in ("€ 24,00", "Zoë"):
        printer = Dummy()
        printer.charcode(page)
        printer.text(text)
        print(page, text, printer.output)
PY

diff <(env/bin/python program.py) - <<'SEEN'
AUTO € 24,00 b'\x1bt\x0f\xa4 24,00'
AUTO Zoë b'\x1bt\x00Zo\x89'
CP858 € 24,00 b'\x1bt\x13\xd5 24,00'
CP858 Zoë b'\x1bt\x13Zo\x89'
SEEN
