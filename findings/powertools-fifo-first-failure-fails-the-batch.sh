#!/usr/bin/env bash
# With Powertools' batch processor for FIFO queues, one failed message fails the whole invocation if it is the first of its batch.
# versions: @aws-lambda-powertools/batch 2.35.0, then the latest (observed, 2026-11-28)
# guessed: three item failures are returned, because the two later messages were only skipped (55 %)
# seen: it throws FullBatchFailureError, "All records failed processing", after one call of the handler; if the second message fails, item
#   failures are returned
# matters: systems that sell through SQS FIFO queues, one group per event: a single bad order causes a function error and its alarm, and an
#   alarm that counts item failures misses it. Pass `throwOnFullBatchFailure: false`, and count failures in the handler.
# needs: node
set -euo pipefail
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"
npm init -y >/dev/null
npm install --silent --no-audit --no-fund @aws-lambda-powertools/batch@2.35.0

cat >program.mjs <<'JS'
import { processPartialResponseSync, SqsFifoPartialProcessor } from "@aws-lambda-powertools/batch";

function deliver(title, bodies, options) {
  let calls = 0;
  const handle = ({ body }) => {
    calls += 1;
    if (body === "refused") throw new Error("The order is refused.");
  };
  const Records = bodies.map((body, index) => ({ messageId: `message-${index}`, attributes: { MessageGroupId: "event-1" }, body }));
  let result;
  try {
    const { batchItemFailures } = processPartialResponseSync({ Records }, handle, new SqsFifoPartialProcessor(), options);
    result = batchItemFailures.map(({ itemIdentifier }) => itemIdentifier).join(" ");
  } catch (error) {
    result = error.name;
  }
  console.log(`${title}: ${result}; handled ${calls}`);
}

deliver("first", ["refused", "good", "good"]);
deliver("second", ["good", "refused", "good"]);
deliver("first, no throw", ["refused", "good", "good"], { throwOnFullBatchFailure: false });
JS
node program.mjs >seen

diff - seen <<'SEEN'
first: FullBatchFailureError; handled 1
second: message-1 message-2; handled 2
first, no throw: message-0 message-1 message-2; handled 1
SEEN
echo "as seen"
