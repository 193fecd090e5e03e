"""python closedMonths.py make RECORDS ROWS | compare RECORDS ORGANISATION ZONE [utc | inner]: a year of payments, and an independent closing of it by DuckDB."""

import json
import random
import sqlite3
import sys
from datetime import datetime, timedelta, timezone
from pathlib import Path
from zoneinfo import ZoneInfo

import duckdb

zones = ["Europe/London", "America/New_York", "Pacific/Chatham"]


def make(records: str, count: int) -> None:
    """Replaces the content of tickets.sqlite by payments of 2026 in all forms of times, and writes them as records."""
    chance = random.Random(7)
    copy = sqlite3.connect("tickets.sqlite")
    for table in ("payment", "order", "event", "balance_payment"):
        copy.execute(f'DELETE FROM "{table}"')
    events = [{"id": id, "time_zone_id": [*zones, None][id % 4], "currency": ["EUR", "JPY", "KWD", None][id % 5 % 4]} for id in range(1, 31)]
    orders = [{"id": id, "event_id": 1 + id % 30, "currency": chance.choice(["EUR", "GBP", None])} for id in range(1, 2001)]
    payments = [payment(chance, id, events) for id in range(1, count + 1)]
    with open(records, "w") as file:
        for kind, rows in (("event", events), ("order", orders), ("payment", payments)):
            names = list(rows[0])
            marks = ", ".join(f":{name}" for name in names)
            copy.executemany(f'INSERT INTO "{kind}" ({", ".join(names)}) VALUES ({marks})', rows)
            file.writelines(json.dumps({"type": kind, "organisation_id": 1, "data": row}) + "\n" for row in rows)
    copy.commit()


def payment(chance: random.Random, id: int, events: list[dict]) -> dict:
    event = chance.choice(events)
    instant = datetime(2025, 12, 31, tzinfo=timezone.utc) + timedelta(seconds=chance.randrange(367 * 86400))
    local = instant.astimezone(ZoneInfo(event["time_zone_id"] or zones[0]))
    offset = local.strftime("%z")
    completed = chance.choice([
        instant.strftime("%Y-%m-%dT%H:%M:%SZ"),
        local.strftime("%Y-%m-%dT%H:%M:%S.123456789") + offset,
        local.strftime("%Y-%m-%dT%H:%M") + (offset[:3] if offset.endswith("00") else f"{offset[:3]}:{offset[3:]}"),
        local.strftime("%Y-%m-%dT%H:%M:%S") if event["time_zone_id"] else local.isoformat(),
        local.strftime("%Y-%m-%d"),
        None,
    ])  # fmt: skip
    return {
        "id": id,
        "order_id": chance.choice([None, chance.randint(1, 4000)]),
        "event_id": event["id"],
        "type": chance.choice(["payment", "payment", "refund"]),
        "status": chance.choice(["confirmed", "confirmed", "pending", "failed"]),
        "amount": chance.randrange(1, 10**7),
        "method": chance.choice(["card", "bank transfer", None]),
        "date_completed": completed,
        "currency": chance.choice(["EUR", None]),
    }


def compare(records: str, organisation: str, zone: str, wrong: str = "") -> None:
    """Prints how many payments were compared, and the ids of those that the months' payments.csv have otherwise."""
    database = duckdb.connect()
    database.execute(f"SET TimeZone = '{'UTC' if wrong == 'utc' else zone}'")
    database.execute(
        """CREATE TABLE record AS SELECT type, coalesce(data->>'id', id)::BIGINT AS id, deleted, data FROM read_json(?, format = 'newline_delimited',
            columns = {type: 'VARCHAR', organisation_id: 'BIGINT', id: 'VARCHAR', deleted: 'BOOLEAN', data: 'JSON'}) WHERE organisation_id = ?""",
        [records, int(organisation)],
    )
    database.execute("""CREATE VIEW present AS FROM record WHERE deleted IS NULL
        AND NOT EXISTS (FROM record AS gone WHERE gone.deleted AND gone.type = record.type AND gone.id = record.id)""")
    join = "JOIN" if wrong == "inner" else "LEFT JOIN"
    database.execute(f"""CREATE TABLE expected AS WITH paid AS (
        SELECT p.id, p.data->>'type' AS type, (p.data->>'amount')::BIGINT AS amount, p.data->>'date_completed' AS t,
            coalesce(p.data->>'currency', o.data->>'currency', e.data->>'currency', 'XXX') AS currency,
            coalesce(e.data->>'time_zone_id', '{zone}') AS event_zone
        FROM present p LEFT JOIN present e ON e.type = 'event' AND e.id = (p.data->>'event_id')::BIGINT
            {join} present o ON o.type = 'order' AND o.id = (p.data->>'order_id')::BIGINT
        WHERE p.type = 'payment' AND p.data->>'status' = 'confirmed' AND p.data->>'date_completed' IS NOT NULL)
        SELECT id, currency, CASE type WHEN 'refund' THEN -amount ELSE amount END AS amount, CASE WHEN length(t) = 10 THEN t::DATE
            WHEN regexp_matches(t, '(Z|[+-]\\d\\d(:?\\d\\d)?)$')
                THEN regexp_replace(regexp_replace(t, '([+-]\\d\\d)(\\d\\d)$', '\\1:\\2'), '([+-]\\d\\d)$', '\\1:00')::TIMESTAMPTZ::DATE
            ELSE timezone(event_zone, t::TIMESTAMP)::DATE END AS day FROM paid""")
    database.execute("""CREATE TABLE closed AS SELECT id, currency, day, (amount * CASE currency WHEN 'JPY' THEN 1 WHEN 'KWD' THEN 1000 ELSE 100 END)::BIGINT
        AS amount FROM read_csv('????-??/payments.csv', union_by_name = true, columns = {day: 'DATE', type: 'VARCHAR', method: 'VARCHAR',
        currency: 'VARCHAR', amount: 'DECIMAL(18, 3)', id: 'BIGINT', event_id: 'BIGINT', order_id: 'BIGINT', external_reference: 'VARCHAR'})""")
    months = sorted(path.name for path in Path().glob("????-??"))
    in_months = f"FROM expected WHERE strftime(day, '%Y-%m') BETWEEN '{months[0]}' AND '{months[-1]}'"
    columns = "SELECT id, currency, amount, day"
    differing = f"(({columns} {in_months}) EXCEPT ALL ({columns} FROM closed)) UNION ALL (({columns} FROM closed) EXCEPT ALL ({columns} {in_months}))"
    ids = [row[0] for row in database.execute(f"SELECT DISTINCT id FROM ({differing}) ORDER BY id").fetchall()]
    print(json.dumps({"compared": database.execute(f"SELECT count(*) {in_months}").fetchone()[0], "differing": ids}))


command, records, *options = sys.argv[1:]
make(records, int(options[0])) if command == "make" else compare(records, *options)
