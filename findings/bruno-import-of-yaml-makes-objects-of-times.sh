#!/usr/bin/env bash
# Bruno imports the unquoted time of an OpenAPI document in YAML as the text "[object Object]".
# versions: @usebruno/cli 4.1.0, Node 20; observed 2026-11-29
# guessed: The parameter has the example's text, with its offset (65 %).
# seen: An unquoted time or day, which YAML reads as a date, becomes "[object Object]" in the list of parameters. Quoted, or in JSON, it stays as written.
# matters: Publishers of an API in YAML: the imported request lists an example that no server can read as a time. Quote examples of times, or publish JSON.
# needs: node 20, npm
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
echo '{}' > package.json
npm install --silent --no-audit --no-fund --ignore-scripts @usebruno/cli@4.1.0

cat > orders.yaml <<'YAML'
openapi: 3.1.0
info: { title: Orders, version: "1" }
paths:
  /orders:
    get:
      operationId: listOrders
      parameters:
        - { name: since, in: query, required: true, schema: { type: string, format: date-time }, example: 2026-12-18T19:30:00+01:00 }
        - { name: until, in: query, required: true, schema: { type: string, format: date-time }, example: "2026-12-18T22:30:00+01:00" }
        - { name: day, in: query, required: true, schema: { type: string, format: date }, example: 2026-12-18 }
      responses: { "200": { description: Orders } }
YAML
cat > orders.json <<'JSON'
{"openapi":"3.1.0","info":{"title":"Orders","version":"1"},"paths":{"/orders":{"get":{"operationId":"listOrders","parameters":[
{"name":"since","in":"query","required":true,"schema":{"type":"string","format":"date-time"},"example":"2026-12-18T19:30:00+01:00"}],
"responses":{"200":{"description":"Orders"}}}}}}
JSON
for document in orders.yaml orders.json; do
  node node_modules/@usebruno/cli/bin/bru.js import openapi --source "$document" --output-file "$document.bruno" --collection-name Orders > log
done

cat > program.mjs <<'JS'
import { readFileSync } from "node:fs";

for (const document of ["orders.yaml", "orders.json"]) {
  const { items } = JSON.parse(readFileSync(`${document}.bruno`, "utf8"));
  for (const { name, value } of items[0].request.params) console.log(document, name, value);
}
JS

diff <(node program.mjs) - <<'SEEN'
orders.yaml since [object Object]
orders.yaml until 2026-12-18T22:30:00+01:00
orders.yaml day [object Object]
orders.json since 2026-12-18T19:30:00+01:00
SEEN
