#!/usr/bin/env bash
# Activepieces' polling by the last item finds nothing new in a list whose oldest items come first.
# versions: @activepieces/pieces-common 0.12.5, Node 20; observed 2026-11-29
# guessed: The helper remembers which items it has seen, in any order (60 %).
# seen: It remembers the id of the first item, and returns only what comes before it. No error, no item. In reverse order, it returns all new ones.
# matters: Triggers that follow a feed of changes, which begins with the oldest. Return the newest first.
# needs: node 20, npm
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
echo '{}' > package.json
npm install --silent --no-audit --no-fund --ignore-scripts @activepieces/pieces-common@0.12.5

cat > program.js <<'JS'
const { DedupeStrategy, pollingHelper } = require("@activepieces/pieces-common");

async function poll(name, order) {
  const values = new Map();
  const store = { get: async (key) => values.get(key), put: async (key, value) => values.set(key, value), delete: async (key) => values.delete(key) };
  const changes = ["order 1", "order 2"];
  const items = async () => order(changes).map((data) => ({ id: data, data }));
  const polling = { strategy: DedupeStrategy.LAST_ITEM, items };
  await pollingHelper.onEnable(polling, { store });
  changes.push("order 3", "order 4");
  console.log(name, await pollingHelper.poll(polling, { store }));
  changes.push("order 5");
  console.log(name, await pollingHelper.poll(polling, { store }));
}

(async () => {
  await poll("oldest first", (changes) => changes);
  await poll("newest first", (changes) => changes.toReversed());
})();
JS

diff <(node program.js) - <<'OUT'
oldest first []
oldest first []
newest first [ 'order 4', 'order 3' ]
newest first [ 'order 5' ]
OUT
