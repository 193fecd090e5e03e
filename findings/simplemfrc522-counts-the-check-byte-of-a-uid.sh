#!/usr/bin/env bash
# SimpleMFRC522's read_id makes its number of a card's first five answered bytes: the check byte counts, and of a UID of seven bytes only three are in it.
# versions: mfrc522 0.0.7 with the answer of ISO/IEC 14443-3, cascade level 1, in place of the chip; observed 2026-11-29
# guessed: The four bytes of the UID, the first as the most significant (60 %).
# seen: 04A1B2C3 becomes 19887006420 (04A1B2C3 and D4). All UIDs that begin with 04A1B2 are one number, 0x8804A1B2 and its check byte.
# matters: Wristbands on NTAG21x chips have seven bytes: those of one batch become one number. Store a text on the wristband, or read UIDs with a library that returns all bytes.
# needs: python 3.11
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv env
env/bin/pip install -q --no-deps mfrc522==0.0.7

cat > program.py <<'PY'
import sys
from functools import reduce
from types import ModuleType

for name in ("RPi", "RPi.GPIO", "spidev"):
    sys.modules[name] = ModuleType(name)
sys.modules["RPi"].GPIO = sys.modules["RPi.GPIO"]
from mfrc522 import MFRC522, SimpleMFRC522

for uid in ("04a1b2c3", "04a1b2c3d4e580", "04a1b2f6070880"):
    answered = bytes.fromhex(uid) if len(uid) == 8 else b"\x88" + bytes.fromhex(uid)[:3]
    answered = [*answered, reduce(lambda a, b: a ^ b, answered)]
    chip = MFRC522.__new__(MFRC522)
    chip.Write_MFRC522 = lambda register, value: None
    chip.MFRC522_Request = lambda mode: (chip.MI_OK, 16)
    chip.MFRC522_ToCard = lambda command, data: (chip.MI_OK, answered, 40)
    reader = SimpleMFRC522.__new__(SimpleMFRC522)
    reader.READER = chip
    print(f"{uid} is read as {reader.read_id():x}")
PY

diff <(env/bin/python program.py) - <<'SEEN'
04a1b2c3 is read as 4a1b2c3d4
04a1b2c3d4e580 is read as 8804a1b29f
04a1b2f6070880 is read as 8804a1b29f
SEEN
