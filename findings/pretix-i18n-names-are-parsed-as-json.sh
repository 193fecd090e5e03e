#!/usr/bin/env bash
# pretix's LazyI18nString parses a plain text as JSON where it can: the name "null" becomes empty, "true" becomes "True".
# versions: django-i18nfield 1.11.0 (pinned by pretix 2026.8.0), Django 5.2.19 (observed, 2026-11-28)
# guessed: only a dict is split by language; the text '{"en":"x"}' stays a text (60 %)
# seen: it is parsed, as are `null`, `true` and a quoted text; a missing language falls back to the site's language, then to any
# matters: converters that use pretix's class for names of events, products and seats from another system: a product named `null` loses its
#   name, and a quoted title loses its quotation marks. Pass a dict by language, {"en": name}, never a plain text.
# needs: python (3.11 or later)
set -euo pipefail
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"
python3 -m venv python
python/bin/pip install --quiet --disable-pip-version-check django-i18nfield==1.11.0 Django==5.2.19

cat >program.py <<'PYTHON'
from django.conf import settings

settings.configure(LANGUAGE_CODE="en", LANGUAGES=[("en", "English"), ("de", "German"), ("fr", "French")])

import django

django.setup()
from django.utils.translation import override
from i18nfield.strings import LazyI18nString

with override("fr"):
    for name in ['{"en": "Gala"}', "null", "true", '"The Gala"', "Gala: null", {"de": "Galaabend"}, {"en": "null"}]:
        print(repr(name), "is shown as", repr(str(LazyI18nString(name))))
PYTHON
python/bin/python program.py >seen

diff - seen <<'SEEN'
'{"en": "Gala"}' is shown as 'Gala'
'null' is shown as ''
'true' is shown as 'True'
'"The Gala"' is shown as 'The Gala'
'Gala: null' is shown as 'Gala: null'
{'de': 'Galaabend'} is shown as 'Galaabend'
{'en': 'null'} is shown as 'null'
SEEN
echo "as seen"
