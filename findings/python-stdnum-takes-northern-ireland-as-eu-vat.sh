#!/usr/bin/env bash
# python-stdnum's eu.vat accepts numbers of Northern Ireland (XI) and keeps both prefixes of Greece, GR and EL, as given.
# versions: python-stdnum 2.2; observed 2026-11-29
# guessed: XI is refused (50 %); GR and EL are both accepted (55 %).
# seen: XI432525179 is valid, GB432525179 is not. compact() makes one number of NL4495445B01 and NL004495445B01, but two of GR094259216 and EL094259216.
# matters: Invoices to companies: XI is in the EU's VAT only for goods, so tickets, which are services, are taxed as in the UK. Test for XI yourself, and write EL before you compare.
# needs: python 3.11
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv env
env/bin/pip install -q python-stdnum==2.2

cat > program.py <<'PY'
from stdnum.eu import vat

for number in ("XI432525179", "GB432525179", "GR094259216", "EL094259216", "NL4495445B01", "NL004495445B01"):
    print(number, vat.is_valid(number), vat.compact(number) if vat.is_valid(number) else "")
PY

diff <(env/bin/python program.py) - <<'SEEN'
XI432525179 True XI432525179
GB432525179 False 
GR094259216 True GR094259216
EL094259216 True EL094259216
NL4495445B01 True NL004495445B01
NL004495445B01 True NL004495445B01
SEEN
