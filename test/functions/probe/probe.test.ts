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
import { getKey } from "../../../functions/endpoints/getKey.ts";
import { mintApiKey } from "../../../functions/keys/apiKeySecret.ts";
import { certificateDays, probe } from "../../../functions/probe/probe.ts";

const { key, prefix } = mintApiKey();
const callingKey = { name: "Probe", prefix, scopes: ["read"], organisation_id: 1842, rate_limit: null };

/** The outcome of a run against a server that responds in this way. */
async function outcomeOf(respond: RequestListener, readKey = async () => key, timeoutMs = 60_000): Promise<string> {
  const server = createServer(respond).listen(0, "127.0.0.1");
  await once(server, "listening");
  // The listening server has an address with a port.
  const { port } = server.address() as AddressInfo;
  try {
    await probe({ baseUrl: `http://127.0.0.1:${port}`, readKey, timeoutMs });
    return "passes";
  } catch (error) {
    return String(error);
  } finally {
    server.closeAllConnections();
    server.close();
  }
}

const answering =
  (status: number, body: unknown): RequestListener =>
  (_request, response) =>
    response.writeHead(status, { "X-Request-Id": "r1" }).end(typeof body === "string" ? body : JSON.stringify(body));

describe("the probe", () => {
  test("passes if the API describes the key", async () => {
    let asked: unknown;
    const outcome = await outcomeOf((request, response) => {
      asked = [request.method, request.url, request.headers.authorization];
      answering(200, callingKey)(request, response);
    });
    assert.equal(outcome, "passes");
    assert.deepEqual(asked, [getKey.method, getKey.path, `Bearer ${key}`]);
  });

  test("expects no more than the endpoint's own schema requires", () => {
    assert.ok(getKey.response.safeParse(callingKey).success);
  });

  for (const status of [401, 403, 429, 500, 503]) {
    test(`fails on ${status}, and reports the request's id`, async () => {
      assert.match(await outcomeOf(answering(status, callingKey)), new RegExp(`The status is ${status}.*r1`));
    });
  }

  const { name: _name, ...unnamed } = callingKey;
  for (const [what, body] of Object.entries({
    "a page": "<html>",
    nothing: "null",
    "another key": { ...callingKey, prefix: "tsk_00000000" },
    "a key without its name": unnamed,
    "a key without scopes": { ...callingKey, scopes: [] },
    "a key without an organisation": { ...callingKey, organisation_id: "1842" },
  })) {
    test(`fails on ${what}`, async () => {
      assert.match(await outcomeOf(answering(200, body)), /body.*r1/);
    });
  }

  test("fails on a redirect, a timeout and a closed connection", async () => {
    const redirect: RequestListener = (_request, response) => response.writeHead(302, { Location: "/" }).end();
    assert.match(await outcomeOf(redirect), /The request failed/);
    assert.match(await outcomeOf(() => undefined, undefined, 500), /The request failed: TimeoutError/);
    assert.match(await outcomeOf((request) => request.destroy()), /The request failed/);
  });

  test("fails without a request if the secret is empty or not a key", async () => {
    const never: RequestListener = () => assert.fail("A request was sent.");
    const missing = async () => {
      throw new Error(key);
    };
    assert.match(await outcomeOf(never, missing), /Reading the secret failed: Error/);
    for (const value of ["", "{}", `${key}\r\nX: 1`]) {
      assert.match(await outcomeOf(never, async () => value), /The secret does not contain an API key/);
    }
  });

  test("never reports the key", async () => {
    const secrets = [async () => key, async () => `${key}\n${key}`, async () => Promise.reject(new Error(key))];
    for (const readKey of secrets)
      for (const respond of [answering(401, key), answering(200, key), answering(200, { prefix: key })])
        assert.ok(!(await outcomeOf(respond, readKey)).includes(key.slice(4)));
  });
});

describe("the days until the certificate expires", () => {
  const directory = mkdtempSync(join(tmpdir(), "certificate-"));
  const [keyFile, certificateFile] = [join(directory, "key.pem"), join(directory, "certificate.pem")];
  const options = "req -x509 -newkey rsa:2048 -nodes -days 12 -subj /CN=localhost -addext subjectAltName=DNS:localhost";
  execFileSync("openssl", [...options.split(" "), "-keyout", keyFile, "-out", certificateFile], { stdio: "pipe" });
  const [serverKey, cert] = [readFileSync(keyFile), readFileSync(certificateFile)];
  rmSync(directory, { recursive: true });

  test("are those of the certificate that the address serves", async () => {
    const server = createTlsServer({ key: serverKey, cert }).listen(0, "localhost");
    await once(server, "listening");
    // The listening server has an address with a port.
    const { port } = server.address() as AddressInfo;
    try {
      assert.ok(Math.abs((await certificateDays(`https://localhost:${port}`, cert)) - 12) < 0.01);
      await assert.rejects(certificateDays(`https://localhost:${port}`), /self-signed certificate/);
    } finally {
      server.close();
    }
    await assert.rejects(certificateDays(`https://localhost:${port}`, cert), /ECONNREFUSED/);
  });
});
