#!/usr/bin/env bash
# pretix rounds all currencies but fifteen to two decimals, even KWD and ISK, but shows as many as CLDR says.
# versions: pretix 2026.8.0 with Django 5.2.19, Babel 2.19.0 and pycountry 26.2.16 (observed, 2026-11-28)
# guessed: KWD 3, ISK 0 and HUF 2 digits, as ISO 4217 has them (60 %); two digits for HUF on the page (60 %)
# seen: KWD 1.125 is rounded to 1.13 and shown as 1,130; ISK 1250.50 stays and is shown as 1.250; MGA has no digit, HUF has two and shows none
# matters: programs that convert pretix's amounts to minor units by ISO 4217, or compare them with what buyers saw: ISK needs a rule for
#   its .50, and KWD has lost its third digit. Read amounts as decimals, and convert only if your table of digits represents them exactly.
# needs: python (3.11 or later)
set -euo pipefail
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"
python3 -m venv python
python/bin/pip install --quiet --disable-pip-version-check --no-deps pretix==2026.8.0
python/bin/pip install --quiet --disable-pip-version-check Django==5.2.19 babel==2.19.0 pycountry==26.2.16 django-i18nfield==1.11.0 2>/dev/null

cat >program.py <<'PYTHON'
import django
from django.conf import settings

settings.configure(LANGUAGE_CODE="de")
django.setup()
from decimal import Decimal
from pretix._base_settings import CURRENCY_PLACES

settings.CURRENCY_PLACES = CURRENCY_PLACES
from django.utils.translation import override
from pretix.base.decimal import round_decimal
from pretix.base.templatetags.money import money_filter

with override("de"):
    for currency, price in [("KWD", "1.125"), ("ISK", "1250.50"), ("HUF", "1250.50"), ("MGA", "12.50"), ("JPY", "12.50"), ("EUR", "12.50")]:
        amount = round_decimal(Decimal(price), currency)
        print(f"{currency} {price}: rounded {amount}, shown {money_filter(amount, currency)}".replace("\N{NO-BREAK SPACE}", " "))
PYTHON
python/bin/python program.py >seen

diff - seen <<'SEEN'
KWD 1.125: rounded 1.13, shown 1,130 KWD
ISK 1250.50: rounded 1250.50, shown 1.250 ISK
HUF 1250.50: rounded 1250.50, shown 1.250 HUF
MGA 12.50: rounded 13, shown 13 MGA
JPY 12.50: rounded 13, shown 13 ¥
EUR 12.50: rounded 12.50, shown 12,50 €
SEEN
echo "as seen"
