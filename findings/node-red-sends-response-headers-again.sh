#!/usr/bin/env bash
# Node-RED's HTTP request node sends the last response's headers, its content-length too, with the next request if a node has added a header to them.
# versions: node-red 5.0.7, Node 24.21.0; observed 2026-11-29
# guessed: A request has the headers that the flow's nodes set in msg.headers, and none of an earlier response (70 %).
# seen: If a Change node sets msg.headers.x-color before each request, the second also has all headers of the first response. If it sets the header
#   only before the first request, the second request has none of them, and not that header either.
# matters: Flows that send the key in msg.headers. The second page's GET announces the length of the first page as its own body, so a server
#   waits for that body; or it lacks the key. Replace msg.headers by a new object before each request, or set the key in the node's authentication.
# needs: node 20, npm
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
echo '{"allowScripts":{"node":true}}' > package.json
npm install --silent --no-audit --no-fund node@24.21.0 node-red@5.0.7

cat > program.mjs <<'JS'
import { spawn } from "node:child_process";
import { once } from "node:events";
import { writeFileSync } from "node:fs";
import { createServer } from "node:http";

const server = createServer(({ url, headers }, response) => {
  const { "content-length": length = "-", "x-page": page = "-", "x-color": color = "-" } = headers;
  console.log(`${url}: content-length ${length}, x-page ${page}, x-color ${color}`);
  response.setHeader("X-Page", url);
  response.end("ok");
  if (url.endsWith("/2")) close();
});
server.listen(0, "127.0.0.1");
await once(server, "listening");

const rules = [{ t: "set", p: "headers.x-color", pt: "msg", to: "red", tot: "str" }];
const change = (id, next, some) => ({ id, type: "change", z: "tab", rules: some, wires: [[next]] });
const get = (id, next) => {
  const url = `http://127.0.0.1:${server.address().port}/${process.argv[2]}/${id}`;
  return { id, type: "http request", z: "tab", method: "GET", url, ret: "txt", wires: [next] };
};
const flow = [
  { id: "tab", type: "tab", label: "Pages" },
  { id: "start", type: "inject", z: "tab", props: [], once: true, onceDelay: 0.1, wires: [["first"]] },
  change("first", "1", rules),
  get("1", ["second"]),
  change("second", "2", process.argv[2] === "both" ? rules : []),
  get("2", []),
];
writeFileSync("flows.json", JSON.stringify(flow));
writeFileSync("settings.js", 'module.exports = { uiHost: "127.0.0.1", uiPort: 0 };');
const words = ["node_modules/node-red/red.js", "--no-telemetry", "--userDir", ".", "flows.json"];
const child = spawn(process.execPath, words, { stdio: "ignore" });
function close() {
  child.kill();
  server.close();
}
JS

diff <(for headers in both first; do timeout 60 node_modules/.bin/node program.mjs "$headers"; done) - <<'SEEN'
/both/1: content-length -, x-page -, x-color red
/both/2: content-length 2, x-page /both/1, x-color red
/first/1: content-length -, x-page -, x-color red
/first/2: content-length -, x-page -, x-color -
SEEN
