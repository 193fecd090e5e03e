import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, test } from "@jest/globals";
import { endpoints } from "../../functions/endpoints/index.ts";
import { clientOf } from "../support/http/client.ts";
import { examplePaths, hasId, isList, unknownIdFor, withId } from "../support/http/examples.ts";
import { freePort } from "../support/http/listen.ts";
import { send, textOf, withQuery } from "../support/http/send.ts";
import { startChildService } from "../support/service/childService.ts";
import { temporaryDirectory } from "../support/temporaryDirectory.ts";

// Not part of `npm test`, because Prism is downloaded. IMPORTERS is its node_modules.
const { IMPORTERS = "" } = process.env;
const { description } = await startChildService();
const { base_url: baseUrl, organisations } = description;
const key = organisations[0]?.keys[0]?.key ?? assert.fail();
const direct = clientOf(baseUrl, key);
const proxyUrl = await startProxy();
const proxied = clientOf(proxyUrl, key);
const reads = endpoints.filter(({ caller, method }) => caller.scheme === "apiKey" && method === "GET");

/** Prism between client and service, which replaces each request and response that violates the document by an error of its own. */
async function startProxy(): Promise<string> {
  const document = join(temporaryDirectory(), "v1.json");
  await writeFile(document, JSON.stringify(await direct.json("/openapi/v1.json")));
  const port = await freePort();
  const words = ["proxy", document, baseUrl, "--errors", "--port", String(port)];
  const child = spawn(process.execPath, [join(IMPORTERS, ".bin/prism"), ...words]);
  afterAll(() => void child.kill());
  await new Promise<void>((settle, refuse) => {
    child.once("exit", (code) => refuse(new Error(`Prism ended with ${code}.`)));
    child.stdout.on("data", (text) => String(text).includes("listening") && settle());
  });
  return `http://127.0.0.1:${port}`;
}

let requests = 0;

/** Asserts that the proxy changes neither status nor body. */
async function assertSame(path: string, expected: number, headers = {}): Promise<Record<string, unknown>> {
  const [answer, original] = [await proxied.get(path, headers), await direct.get(path, headers)];
  assert.equal(answer.status, expected, textOf(answer));
  const withoutId = (body: string) => body.replace(/"request_id":".*?"/, "");
  assert.equal(withoutId(textOf(answer)), withoutId(textOf(original)));
  requests += 1;
  return answer.headers;
}

for (const endpoint of reads) {
  test(`Prism finds no violation in requests and responses of ${endpoint.operationId}`, async () => {
    for (const path of await examplePaths(endpoint, direct)) {
      const { etag } = await assertSame(path, 200);
      await assertSame(path, 304, { "If-None-Match": etag });
      if (isList(endpoint)) await assertSame(withQuery(path, "per_page=2"), 200);
      await assertSame(withQuery(path, "unknown=1"), 400);
    }
    if (hasId(endpoint)) await assertSame(withId(endpoint, unknownIdFor(endpoint)), 404);
  });
}

test("Prism finds no violation in times that the contract shows, and in several names", async () => {
  for (const query of ["from=2026-09-01&to=2026-10-01", "from=2026-09-01T00:00", "from=2026-09-01T00:00:00%2B01:00"])
    await assertSame(`/v1/dates?${query}`, 200);
  await assertSame("/v1/orders?expand=tickets,payments,attendees", 200);
  await assertSame("/v1/changes?types=order,balance_payment", 200);
});

test("Prism saw many requests, and would have refused one that violates the document", async () => {
  assert.ok(requests >= 250, `${requests}`);
  const headers = { Authorization: `Bearer ${key}` };
  assert.equal((await send(`${proxyUrl}/v1/events?per_page=0`, { headers })).status, 422);
  console.info(`${requests} requests passed.`);
});
