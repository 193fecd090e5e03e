#!/usr/bin/env bash
# edutap.wallet_google accepts the face value of a ticket as a text only.
# versions: edutap.wallet_google 3.0.0b2 with pydantic 2.14.4; observed 2026-11-28
# guessed: Micros are an integer in the model and in the JSON (55 %).
# seen: An integer is refused. 12.50 is "12500000": the amount in the smallest unit times 10,000 for two decimals.
# matters: Programs that fill passes of Google Wallet from an API's integers. Convert with the currency's exponent, then to a text.
# needs: python 3.11
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv env
env/bin/pip install -q edutap.wallet_google==3.0.0b2 pydantic==2.14.4

cat > program.py <<'EOF'
import warnings

warnings.simplefilter("ignore")
from edutap.wallet_google.models.datatypes.money import Money
from pydantic import ValidationError

def micros(amount, exponent):
    return str(amount * 10 ** (6 - exponent))

try:
    print(Money(micros=12_500_000, currencyCode="EUR").model_dump_json())
except ValidationError as error:
    print("refused:", error.errors()[0]["msg"])
for amount, currency, exponent in ((1250, "EUR", 2), (1250, "JPY", 0), (1250, "KWD", 3)):
    print(amount, Money(micros=micros(amount, exponent), currencyCode=currency).model_dump_json())
EOF

diff <(env/bin/python program.py) - <<'EOF'
refused: Input should be a valid string
1250 {"micros":"12500000","currencyCode":"EUR"}
1250 {"micros":"1250000000","currencyCode":"JPY"}
1250 {"micros":"1250000","currencyCode":"KWD"}
EOF
