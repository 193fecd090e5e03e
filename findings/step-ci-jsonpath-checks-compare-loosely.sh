#!/usr/bin/env bash
# Step CI's jsonpath checks compare like JavaScript's ==: the text "24.00" passes as the number 24, and the text "" as 0.
# versions: @stepci/runner 2.0.7, Node 20; observed 2026-11-29
# guessed: "24.00" does not pass as 24 (60 %).
# seen: It passes. So does the text "9007199254740993" for the id 9007199254740993, which was rounded before.
# matters: Contract checks of money that must be texts or numbers: a change of the type goes unnoticed. Check the type with a schema.
# needs: node 20, npm
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
echo '{}' > package.json
npm install --silent --no-audit --no-fund --ignore-scripts @stepci/runner@2.0.7

cat > program.mjs <<'JS'
import { createServer } from "node:http";
import runner from "@stepci/runner";

const server = createServer((request, response) => {
  response.setHeader("content-type", "application/json");
  response.end('{"id":9007199254740993,"price":"24.00","left":0,"seat":"7"}');
});
await new Promise((listening) => server.listen(0, "127.0.0.1", listening));
const url = `http://127.0.0.1:${server.address().port}/`;
for (const [path, expected] of [["$.price", 24], ["$.price", 25], ["$.left", ""], ["$.id", "9007199254740993"], ["$.seat", "07"]]) {
  const http = { url, method: "GET", check: { jsonpath: { [path]: expected } } };
  const { result } = await runner.run({ version: "1.1", name: "types", tests: { one: { steps: [{ http }] } } });
  const { given, passed } = result.tests[0].steps[0].checks.jsonpath[path];
  console.log(path, "expected", JSON.stringify(expected), "given", JSON.stringify(given), passed ? "passed" : "failed");
}
server.close();
process.exit();
JS

diff <(node program.mjs) - <<'SEEN'
$.price expected 24 given "24.00" passed
$.price expected 25 given "24.00" failed
$.left expected "" given 0 passed
$.id expected "9007199254740993" given 9007199254740992 passed
$.seat expected "07" given "7" failed
SEEN
