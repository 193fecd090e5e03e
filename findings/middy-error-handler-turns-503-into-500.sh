#!/usr/bin/env bash
# Middy's http-error-handler turns a thrown 503 into a 500 without its headers, unless the error has `expose: true`.
# versions: @middy/core and @middy/http-error-handler 7.9.2 (observed, 2026-11-28)
# guessed: it keeps the status 503 and hides only the message (60 %)
# seen: 500, no body and no Retry-After; even a 409 becomes 500 with `expose: false`
# matters: Lambda APIs that throw 503 with Retry-After, or 502 for a payment provider's failure: clients that retry only 429 and 503 give
#   up. Set `expose: true` on errors whose message is meant for clients, or return the response in an earlier onError.
# needs: node (the package asks for 22 or later, but runs on 20)
set -euo pipefail
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"
npm init -y >/dev/null
npm install --silent --no-audit --no-fund @middy/core@7.9.2 @middy/http-error-handler@7.9.2

cat >program.mjs <<'JS'
import httpErrorHandler from "@middy/http-error-handler";
import middy from "@middy/core";

async function answer(title, members) {
  const handler = middy()
    .use(httpErrorHandler({ logger: false }))
    .handler(() => {
      throw Object.assign(new Error("Try later."), members);
    });
  const { statusCode, headers, body } = await handler({}, {});
  console.log(`${title}: ${statusCode}, Retry-After ${headers["Retry-After"] ?? "-"}, ${body ?? "no body"}`);
}

const headers = { "Retry-After": "5" };
await answer("429", { statusCode: 429, headers });
await answer("503", { statusCode: 503, headers });
await answer("503 exposed", { statusCode: 503, headers, expose: true });
await answer("409 hidden", { statusCode: 409, headers, expose: false });
JS
node program.mjs >seen

diff - seen <<'SEEN'
429: 429, Retry-After 5, Try later.
503: 500, Retry-After -, no body
503 exposed: 503, Retry-After 5, Try later.
409 hidden: 500, Retry-After -, no body
SEEN
echo "as seen"
