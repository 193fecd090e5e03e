import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createServer as createTlsServer } from "node:tls";
import { describe, test } from "@jest/globals";
import { isWellFormedApiKey, mintApiKey } from "../../../functions/keys/apiKeySecret.ts";
import { checks, unknownKey } from "../../../functions/probe/checks.ts";
import { isCertificateExpiring, probe } from "../../../functions/probe/probe.ts";
import { portOf } from "../../../packages/local-aws/gateway/server.ts";

const { key, prefix } = mintApiKey();

/** The error of a run against a server that responds in this way, or undefined. */
async function errorOf(respond: RequestListener, readKey = async () => key, timeoutMs = 60_000) {
  const server = createServer(respond).listen(0, "127.0.0.1");
  await once(server, "listening");
  try {
    await probe(`http://127.0.0.1:${portOf(server)}`, readKey, timeoutMs);
    return undefined;
  } catch (error) {
    return String(error);
  } finally {
    server.closeAllConnections();
    server.close();
  }
}

/** A good stage's response to a check. */
const good: Record<string, object | string> = {
  "GET /v1/key": { name: "Probe", prefix, scopes: ["read"], organisation_id: 1842, rate_limit: null },
  "GET /v1/events": { data: [], pagination: { per_page: 1, has_more: false, next_cursor: null } },
  "GET /v1/key with an unknown key": { code: "unauthorized" },
  "GET /developer": "<!doctype html><html>",
};

/** A stage that is good, except for its response to one check. */
const stage =
  (name?: string, other: { status?: number; body?: object | string } = {}): RequestListener =>
  ({ url, headers: { authorization } }, response) => {
    const sent = { own: `Bearer ${key}`, unknown: `Bearer ${unknownKey}`, none: undefined };
    const check = checks.find((one) => one.path === url && sent[one.key ?? "none"] === authorization);
    if (!check) return response.writeHead(401).end();
    const { status = check.status, body = good[check.name] } = check.name === name ? other : {};
    response.writeHead(status, { "X-Request-Id": "r1" }).end(typeof body === "string" ? body : JSON.stringify(body));
  };

describe("the probe", () => {
  test("passes on a good stage, after one request through each of its parts", async () => {
    const paths: unknown[] = [];
    const counting: RequestListener = (request, response) => {
      paths.push(request.url);
      stage()(request, response);
    };
    assert.equal(await errorOf(counting), undefined);
    assert.deepEqual(paths, ["/v1/key", "/v1/events?per_page=1", "/v1/key", "/developer"]);
    assert.ok(isWellFormedApiKey(unknownKey));
  });

  test.each(checks)("fails if $name returns another status, and names the request", async ({ name, status }) => {
    for (const other of [200, 401, 403, 429, 500, 503].filter((one) => one !== status)) {
      const error = await errorOf(stage(name, { status: other }));
      assert.ok(error?.includes(`${name}: The status is ${other}, not ${status}. X-Request-Id: r1`), error);
    }
  });

  test.each<[string, (object | string)[]]>([
    ["GET /v1/key", ["<html>", "null", { prefix: "tsk_00000000", organisation_id: 1 }, { prefix }]],
    ["GET /v1/events", ["<html>", "null", { data: [] }, { data: [1, 2], pagination: {} }]],
    ["GET /v1/key with an unknown key", ["<html>", { code: "forbidden" }]],
    ["GET /developer", ["", {}]],
  ])("fails if %s returns another body", async (name, bodies) => {
    for (const body of bodies) {
      const error = await errorOf(stage(name, { body }));
      assert.ok(error?.includes(`${name}: The body is not as documented. X-Request-Id: r1`), error);
    }
  });

  test("fails on a redirect, a timeout and a closed connection", async () => {
    const redirect: RequestListener = (_request, response) => response.writeHead(302, { Location: "/" }).end();
    assert.match(String(await errorOf(redirect)), /The request failed/);
    assert.match(String(await errorOf(() => undefined, undefined, 500)), /The request failed: TimeoutError/);
    assert.match(String(await errorOf((request) => request.destroy())), /The request failed/);
  });

  test("fails without a request while its secret is empty, unreadable or not a key", async () => {
    const never: RequestListener = () => assert.fail("A request was sent.");
    const refusing = async () => Promise.reject(Object.assign(new Error(key), { name: "ResourceNotFoundException" }));
    assert.match(String(await errorOf(never, refusing)), /secret .* failed: ResourceNotFoundException/);
    for (const value of ["", "{}", `${key}\r\nX: 1`])
      assert.match(String(await errorOf(never, async () => value)), /The secret does not contain an API key/);
  });

  test("never reports its key", async () => {
    const secrets = [async () => key, async () => `${key}\n${key}`, async () => Promise.reject(new Error(key))];
    for (const readKey of secrets)
      for (const change of [{ status: 401, body: key }, { body: key }, { body: { prefix: key } }]) {
        const error = await errorOf(stage("GET /v1/key", change), readKey);
        assert.ok(error && !error.includes(key.slice(4)), error);
      }
  });
});

test.each([
  [29, true],
  [31, false],
])("a certificate that is valid for %i days is reported as expiring: %s", async (days, expected) => {
  const directory = mkdtempSync(join(tmpdir(), "certificate-"));
  const [keyFile, certificateFile] = [join(directory, "key.pem"), join(directory, "certificate.pem")];
  const options = `req -x509 -newkey rsa:2048 -nodes -days ${days} -subj /CN=localhost -addext subjectAltName=DNS:localhost`;
  execFileSync("openssl", [...options.split(" "), "-keyout", keyFile, "-out", certificateFile], { stdio: "pipe" });
  const cert = readFileSync(certificateFile);
  const server = createTlsServer({ key: readFileSync(keyFile), cert }).listen(0, "localhost");
  rmSync(directory, { recursive: true });
  await once(server, "listening");
  // The listening server has an address with a port.
  const address = `https://localhost:${(server.address() as AddressInfo).port}`;
  try {
    assert.equal(await isCertificateExpiring(address, cert), expected);
    await assert.rejects(isCertificateExpiring(address), /self-signed certificate/);
  } finally {
    server.close();
  }
});
