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
import { listEvents } from "../../../functions/endpoints/listEvents.ts";
import { isWellFormedApiKey, mintApiKey } from "../../../functions/keys/apiKeySecret.ts";
import { certificateDays, checks, probe, unknownKey } from "../../../functions/probe/probe.ts";

const { key, prefix } = mintApiKey();
const callingKey = { name: "Probe", prefix, scopes: ["read"], organisation_id: 1842, rate_limit: null };

/** The outcome of a run against a server that responds in this way. */
async function outcomeOf(
  respond: RequestListener,
  readKey: () => Promise<string | undefined> = async () => key,
  timeoutMs = 60_000,
): Promise<string> {
  const server = createServer(respond).listen(0, "127.0.0.1");
  await once(server, "listening");
  // The listening server has an address with a port.
  const { port } = server.address() as AddressInfo;
  try {
    const { hasKey } = await probe({ baseUrl: `http://127.0.0.1:${port}`, readKey, timeoutMs });
    return hasKey ? "passes" : "passes without a key";
  } catch (error) {
    return String(error);
  } finally {
    server.closeAllConnections();
    server.close();
  }
}

/** The responses of a good stage, by path and by key. */
const good = (path: string, authorization?: string): { status: number; body: unknown } => {
  if (path === "/developer") return { status: 200, body: "<!doctype html><html>" };
  if (authorization !== `Bearer ${key}`) return { status: 401, body: { code: "unauthorized" } };
  return { status: 200, body: path === "/v1/key" ? callingKey : emptyPage };
};
const emptyPage = { data: [], pagination: { per_page: 1, has_more: false, next_cursor: null } };

/** A stage that is good but for what `change` returns. */
const answering =
  (change: (path: string, authorization?: string) => object = () => ({})): RequestListener =>
  ({ url = "", headers }, response) => {
    const { status, body } = { ...good(url, headers.authorization), ...change(url, headers.authorization) };
    response.writeHead(status, { "X-Request-Id": "r1" }).end(typeof body === "string" ? body : JSON.stringify(body));
  };

/** A stage whose response to a request is another one. */
const except = (name: string, change: object) =>
  answering((path, authorization) => {
    const check = checks.find((one) => one.name === name);
    const sent = { own: `Bearer ${key}`, unknown: `Bearer ${unknownKey}`, none: undefined }[check?.key ?? "none"];
    return path === check?.path && authorization === sent ? change : {};
  });

describe("the probe", () => {
  test("passes on a good stage, after a request through each of its parts", async () => {
    const asked: unknown[] = [];
    const outcome = await outcomeOf((request, response) => {
      asked.push([request.url, request.headers.authorization]);
      answering()(request, response);
    });
    assert.equal(outcome, "passes");
    assert.deepEqual(asked, [
      ["/v1/key", `Bearer ${key}`],
      ["/v1/events?per_page=1", `Bearer ${key}`],
      ["/v1/key", `Bearer ${unknownKey}`],
      ["/developer", undefined],
    ]);
    assert.ok(isWellFormedApiKey(unknownKey));
  });

  test("makes only the requests that need no key while nobody has stored one, and reports that", async () => {
    const asked: unknown[] = [];
    const outcome = await outcomeOf(
      (request, response) => {
        asked.push(request.url);
        answering()(request, response);
      },
      async () => undefined,
    );
    assert.deepEqual([outcome, asked], ["passes without a key", ["/v1/key", "/developer"]]);
    const down = except("GET /developer", { status: 503 });
    assert.match(await outcomeOf(down, async () => undefined), /GET \/developer: The status is 503, not 200/);
  });

  test("expects no more than the endpoints' own schemas require", () => {
    assert.ok(getKey.response.safeParse(callingKey).success);
    assert.ok(listEvents.response.safeParse(emptyPage).success);
  });
});

describe("the probe fails", () => {
  for (const { name, status } of checks) {
    test(`on another status of ${name}, and reports the request's id`, async () => {
      for (const other of [200, 401, 403, 429, 500, 503].filter((one) => one !== status))
        assert.match(
          await outcomeOf(except(name, { status: other })),
          new RegExp(`${name.replace("?", "\\?")}: The status is ${other}, not ${status}.*r1`),
        );
    });
  }

  const { name: _name, ...unnamed } = callingKey;
  const ofKey = [
    { ...callingKey, prefix: "tsk_00000000" },
    unnamed,
    { ...callingKey, scopes: [] },
    { ...callingKey, organisation_id: "1842" },
  ];
  for (const [name, bodies] of Object.entries({
    "GET /v1/key": ["<html>", "null", ...ofKey],
    "GET /v1/events": ["<html>", "null", { data: [] }, { ...emptyPage, data: [1, 2] }],
    "GET /v1/key with an unknown key": ["<html>", { code: "forbidden" }],
    "GET /developer": ["", {}],
  })) {
    test(`on a wrong body of ${name}`, async () => {
      for (const body of bodies)
        assert.match(await outcomeOf(except(name, { body })), /body is not as documented.*r1/, JSON.stringify(body));
    });
  }

  test("on a redirect, a timeout and a closed connection", async () => {
    const redirect: RequestListener = (_request, response) => response.writeHead(302, { Location: "/" }).end();
    assert.match(await outcomeOf(redirect), /The request failed/);
    assert.match(await outcomeOf(() => undefined, undefined, 500), /The request failed: TimeoutError/);
    assert.match(await outcomeOf((request) => request.destroy()), /The request failed/);
  });

  test("without a request if the secret cannot be read or is not a key", async () => {
    const never: RequestListener = () => assert.fail("A request was sent.");
    const missing = async () => {
      throw new Error(key);
    };
    assert.match(await outcomeOf(never, missing), /Reading the secret failed: Error/);
    for (const value of ["", "{}", `${key}\r\nX: 1`]) {
      assert.match(await outcomeOf(never, async () => value), /The secret does not contain an API key/);
    }
  });

  test("without ever reporting the key", async () => {
    const secrets = [async () => key, async () => `${key}\n${key}`, async () => Promise.reject(new Error(key))];
    const wrong = [{ status: 401, body: key }, { body: key }, { body: { prefix: key } }];
    for (const readKey of secrets)
      for (const change of wrong)
        assert.ok(!(await outcomeOf(except("GET /v1/key", change), readKey)).includes(key.slice(4)));
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
