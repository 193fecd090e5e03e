#!/usr/bin/env bash
# In pretix, a cancelled order keeps its total and its positions, and an order cancelled with a fee stays "paid" with the fee as its total.
# versions: pretix 2026.8.0 (observed, 2026-11-28)
# guessed: a cancelled order's total becomes 0 (55 %); with a fee it stays paid and the fee is its total (60 %)
# seen: status c, total 46.00, two positions that are not marked as cancelled; with a fee of 5: status p, total 5.00, no position
# matters: importers of pretix's orders: the sum of totals includes cancelled sales, the number of "paid" orders includes cancelled
#   visits, and a cancelled order's tickets look valid by their own flag. Count tickets from positions with `canceled: false` in orders with
#   status p, and compute money from payments minus refunds.
# needs: python (3.11 or later); installs pretix with all its requirements, some minutes
set -euo pipefail
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"
python3 -m venv python
python/bin/pip install --quiet --disable-pip-version-check pretix==2026.8.0

cat >program.py <<'PYTHON'
from datetime import timedelta
from decimal import Decimal
import django
from django.conf import settings

settings.MIGRATION_MODULES = type("None", (dict,), {"__contains__": lambda *_: True, "__getitem__": lambda *_: None})()
settings.CELERY_TASK_ALWAYS_EAGER = True
django.setup()
from django.core.management import call_command
from django.utils.timezone import now
from django_scopes import scopes_disabled
from pretix.base.models import Event, Order, OrderPosition, Organizer
from pretix.base.services.orders import _cancel_order

call_command("migrate", run_syncdb=True, verbosity=0)
with scopes_disabled():
    organizer = Organizer.objects.create(name="Theatre", slug="theatre")
    event = Event.objects.create(organizer=organizer, name="Gala", slug="gala", date_from=now(), currency="EUR", plugins="")
    item = event.items.create(name="Ticket", default_price=Decimal("23"))
    channel = organizer.sales_channels.get(identifier="web")
    for fee in (None, Decimal("5")):
        order = Order.objects.create(event=event, status="p", total=Decimal("46"), datetime=now(), expires=now() + timedelta(days=9), locale="en", sales_channel=channel)
        for _ in range(2):
            OrderPosition.objects.create(order=order, item=item, price=Decimal("23"))
        order.payments.create(provider="manual", amount=order.total, state="confirmed")
        _cancel_order(order.pk, send_mail=False, cancellation_fee=fee)
        order.refresh_from_db()
        print(f"fee {fee}: status {order.status}, total {order.total}, positions {order.positions.count()} of {order.all_positions.count()}")
PYTHON
DATA_DIR=$dir PRETIX_DATABASE_BACKEND=sqlite3 PRETIX_DJANGO_SECRET=example DJANGO_SETTINGS_MODULE=pretix.settings python/bin/python program.py 2>/dev/null | grep '^fee' >seen

diff - seen <<'SEEN'
fee None: status c, total 46.00, positions 2 of 2
fee 5: status p, total 5.00, positions 0 of 2
SEEN
echo "as seen"
