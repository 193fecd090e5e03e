#!/usr/bin/env bash
# pretix's "600 minutes before the start" subtracts on the local clock: across the end of summer time, 660 minutes pass.
# versions: pretix 2026.8.0 (observed, 2026-11-28)
# guessed: days are counted on the local clock and minutes as elapsed time (70 %)
# seen: both on the local clock: before 10:00 of 25 October 2026 in Berlin, 600 minutes earlier is 00:00+02:00; in March, 540 minutes pass
# matters: systems that copy pretix's sale ends, late cancellations or reminders, and compute them in UTC, are an hour off on two days a
#   year. Take the computed time from pretix, or also subtract on the local clock.
# needs: python (3.11 or later); installs pretix with all its requirements, some minutes
set -euo pipefail
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"
python3 -m venv python
python/bin/pip install --quiet --disable-pip-version-check pretix==2026.8.0

cat >program.py <<'PYTHON'
from datetime import datetime, timezone
import django
from django.conf import settings

settings.MIGRATION_MODULES = type("None", (dict,), {"__contains__": lambda *_: True, "__getitem__": lambda *_: None})()
settings.CELERY_TASK_ALWAYS_EAGER = True
django.setup()
from zoneinfo import ZoneInfo
from django.core.management import call_command
from django_scopes import scopes_disabled
from pretix.base.models import Event, Organizer
from pretix.base.reldate import RelativeDateWrapper

call_command("migrate", run_syncdb=True, verbosity=0)
zone = ZoneInfo("Europe/Berlin")
with scopes_disabled():
    organizer = Organizer.objects.create(name="Theatre", slug="theatre")
    for month, day in ((10, 25), (3, 29), (6, 10)):
        start = datetime(2026, month, day, 10, tzinfo=zone).astimezone(timezone.utc)
        event = Event.objects.create(organizer=organizer, name="Gala", slug=f"gala-{month}", date_from=start, currency="EUR", plugins="")
        event.settings.timezone = zone.key
        for rule in ("minutes/600", "1/-"):
            time = RelativeDateWrapper.from_string(f"RELDATE/{rule}/date_from/").datetime(event)
            elapsed = (start - time.astimezone(timezone.utc)).total_seconds() / 60
            print(f"rule {rule} before {start.astimezone(zone).isoformat()}: {time.isoformat()}, {elapsed:.0f} minutes")
PYTHON
DATA_DIR=$dir PRETIX_DATABASE_BACKEND=sqlite3 PRETIX_DJANGO_SECRET=example DJANGO_SETTINGS_MODULE=pretix.settings python/bin/python program.py 2>/dev/null | grep '^rule' >seen

diff - seen <<'SEEN'
rule minutes/600 before 2026-10-25T10:00:00+01:00: 2026-10-25T00:00:00+02:00, 660 minutes
rule 1/- before 2026-10-25T10:00:00+01:00: 2026-10-24T10:00:00+02:00, 1500 minutes
rule minutes/600 before 2026-03-29T10:00:00+02:00: 2026-03-29T00:00:00+01:00, 540 minutes
rule 1/- before 2026-03-29T10:00:00+02:00: 2026-03-28T10:00:00+01:00, 1380 minutes
rule minutes/600 before 2026-06-10T10:00:00+02:00: 2026-06-10T00:00:00+02:00, 600 minutes
rule 1/- before 2026-06-10T10:00:00+02:00: 2026-06-09T10:00:00+02:00, 1440 minutes
SEEN
echo "as seen"
