#!/usr/bin/env bash
# Powertools' idempotency treats payloads that differ only inside a Set or a Map as the same request, but distinguishes Dates.
# versions: @aws-lambda-powertools/idempotency 2.35.0, then the latest, and @aws-sdk/util-dynamodb 3.996.9 (observed, 2026-11-28)
# guessed: objects such as Date are hashed as empty objects, so two Dates look alike (55 %)
# seen: Dates differ; Sets and Maps are hashed as {}, so the second call returns the first call's result and does no work
# matters: DynamoDB's unmarshall() returns a Set for a string set, so a stream handler under makeIdempotent skips a change of an order's
#   seats or scopes. Pass ids and a version as the key (eventKeyJmesPath), or turn Sets into sorted lists first.
# needs: node
set -euo pipefail
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"
npm init -y >/dev/null
npm install --silent --no-audit --no-fund @aws-lambda-powertools/idempotency@2.35.0 @aws-sdk/util-dynamodb@3.996.9 @aws-sdk/client-dynamodb@3.1169.0

cat >program.mjs <<'JS'
import { IdempotencyItemAlreadyExistsError, makeIdempotent } from "@aws-lambda-powertools/idempotency";
import { BasePersistenceLayer } from "@aws-lambda-powertools/idempotency/persistence";
import { unmarshall } from "@aws-sdk/util-dynamodb";

class Memory extends BasePersistenceLayer {
  records = new Map();
  async _getRecord(key) { return this.records.get(key); }
  async _deleteRecord(record) { this.records.delete(record.idempotencyKey); }
  async _updateRecord(record) { this.records.set(record.idempotencyKey, record); }
  async _putRecord(record) {
    const existing = this.records.get(record.idempotencyKey);
    if (existing) throw new IdempotencyItemAlreadyExistsError("exists", existing);
    this.records.set(record.idempotencyKey, record);
  }
}

async function calls(title, first, second) {
  let count = 0;
  const handle = makeIdempotent(async () => ++count, { persistenceStore: new Memory() });
  await handle(first);
  await handle(second);
  console.log(`${title}: ${count} calls`);
}

const order = (seats) => unmarshall({ id: { S: "order-1" }, seats });
await calls("lists of seats", order({ L: [{ S: "A1" }] }), order({ L: [{ S: "A2" }] }));
await calls("sets of seats", order({ SS: ["A1"] }), order({ SS: ["A2"] }));
await calls("maps", { seats: new Map([["row", "A"]]) }, { seats: new Map([["row", "B"]]) });
await calls("dates", { at: new Date(0) }, { at: new Date(1) });
JS
AWS_LAMBDA_FUNCTION_NAME=example node program.mjs 2>/dev/null >seen

diff - seen <<'SEEN'
lists of seats: 2 calls
sets of seats: 1 calls
maps: 1 calls
dates: 2 calls
SEEN
echo "as seen"
