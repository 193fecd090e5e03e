#!/usr/bin/env bash
# A Zapier integration sends a query parameter that is undefined or null as an empty text.
# versions: zapier-platform-core 19.1.0, Node 20; observed 2026-11-29
# guessed: An undefined parameter is omitted, as in axios and in JSON (75 %).
# seen: `params: { cursor: undefined }` sends `?cursor=`. With `removeMissingValuesFrom: { params: true }`, it is omitted, and an empty text, too.
# matters: Integrations that read lists page by page: a strict API rejects the empty cursor of the first page, and another may take it as a filter. Set `removeMissingValuesFrom` in each request.
# needs: node 20, npm
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
echo '{}' > package.json
npm install --silent --no-audit --no-fund --ignore-scripts zapier-platform-core@19.1.0

cat > program.js <<'JS'
const { createServer } = require("node:http");
const zapier = require("zapier-platform-core");

const server = createServer((request, response) => {
  console.log("sent", request.url);
  response.setHeader("Content-Type", "application/json").end("[]");
}).listen(0, "127.0.0.1", async () => {
  const url = `http://127.0.0.1:${server.address().port}/orders`;
  const params = { per_page: 100, cursor: undefined, since: null, email: "" };
  const operationOf = (options) => ({ perform: async (z) => (await z.request({ url, params, ...options })).data });
  const triggerOf = (key, options) => ({ key, noun: "Order", display: { label: key, description: "An order." }, operation: operationOf(options) });
  const triggers = { plain: triggerOf("plain", {}), removing: triggerOf("removing", { removeMissingValuesFrom: { params: true } }) };
  const test = zapier.createAppTester({ version: "1.0.0", platformVersion: zapier.version, triggers });
  for (const { operation } of Object.values(triggers)) await test(operation.perform, { inputData: {} });
  server.close();
});
JS

# The platform also logs its use of memory.
diff <(node program.js | grep "^sent") - <<'OUT'
sent /orders?per_page=100&cursor=&since=&email=
sent /orders?per_page=100
OUT
