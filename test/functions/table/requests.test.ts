import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer, type RequestListener, type Server } from "node:http";
import { afterEach, test } from "@jest/globals";
import { Sha256 } from "@smithy/core/checksum";
import { HttpRequest } from "@smithy/core/protocols";
import { SignatureV4 } from "@smithy/signature-v4";
import type { AwsCredentialIdentity } from "@smithy/types";
import fc from "fast-check";
import { requestHandler, requestSigner } from "../../../functions/table/client.ts";
import { anyCharacter } from "../../support/data/records.ts";
import { cases } from "../../support/jest/cases.ts";

const patienceMs = 100;

const servers: Server[] = [];
afterEach(() => {
  for (const server of servers.splice(0)) {
    server.close();
    server.closeAllConnections();
  }
});

async function serve(answer: RequestListener): Promise<{ server: Server; request: HttpRequest }> {
  const server = createServer(answer);
  await once(server.listen(0, "127.0.0.1"), "listening");
  servers.push(server);
  const address = server.address();
  const port = typeof address === "object" && address ? address.port : 0;
  return {
    server,
    request: new HttpRequest({
      protocol: "http:",
      hostname: "127.0.0.1",
      port,
      path: "/",
      method: "POST",
      headers: { "x-amz-target": "x" },
      body: "{}",
    }),
  };
}

test("a response in many pieces becomes one buffer, and the next request uses the same connection", async () => {
  const { server, request } = await serve((incoming, outgoing) => {
    incoming.on("data", (chunk) => outgoing.write(chunk));
    incoming.on("end", () => {
      for (const piece of ["ä", "ö", "ü".repeat(100_000)]) outgoing.write(piece);
      outgoing.end();
    });
  });
  let connections = 0;
  server.on("connection", () => {
    connections += 1;
  });
  const handler = requestHandler(30_000);
  for (const _again of [1, 2, 3]) {
    const { response } = await handler.handle(request);
    assert.equal(response.statusCode, 200);
    assert.equal(String(response.body), `{}äö${"ü".repeat(100_000)}`);
  }
  assert.equal(connections, 1);
  handler.destroy();
});

test("a server that never responds, or never ends its response, causes a TimeoutError", async () => {
  const silent: RequestListener = () => undefined;
  const dripping: RequestListener = (_incoming, outgoing) => {
    outgoing.writeHead(200);
    const drip = setInterval(() => outgoing.write("x"), patienceMs / 10);
    outgoing.on("close", () => clearInterval(drip));
  };
  for (const answer of [silent, dripping]) {
    const { request } = await serve(answer);
    await assert.rejects(requestHandler(patienceMs).handle(request), { name: "TimeoutError" });
  }
});

test("a refused or interrupted connection causes an error with its code", async () => {
  const { server, request } = await serve((_incoming, outgoing) => {
    outgoing.writeHead(200, { "Content-Length": 100 });
    outgoing.write("half", () => outgoing.destroy());
  });
  const handler = requestHandler(30_000);
  await assert.rejects(handler.handle(request), { code: "ECONNRESET" });
  server.close();
  server.closeAllConnections();
  await once(server, "close");
  await assert.rejects(handler.handle(request), { code: "ECONNREFUSED" });
});

const requestOf = (body: string) =>
  new HttpRequest({
    protocol: "https:",
    hostname: "dynamodb.eu-west-2.amazonaws.com",
    method: "POST",
    path: "/",
    headers: {
      "content-type": "application/x-amz-json-1.0",
      "x-amz-target": "DynamoDB_20120810.GetItem",
      host: "dynamodb.eu-west-2.amazonaws.com",
      "content-length": String(Buffer.byteLength(body)),
      "amz-sdk-request": "attempt=1; max=3",
    },
    body,
  });

async function signedBySdk(body: string, credentials: AwsCredentialIdentity, region: string, signingDate: Date) {
  const signer = new SignatureV4({ credentials, region, service: "dynamodb", sha256: Sha256, applyChecksum: false });
  const unsignableHeaders = new Set(["content-length", "amz-sdk-request"]);
  return signer.sign(requestOf(body), { signingDate, unsignableHeaders });
}

const word = fc.stringMatching(/^[!-~]{1,60}$/);
const Credentials = fc.record({
  accessKeyId: fc.stringMatching(/^[A-Z0-9]{16,20}$/),
  secretAccessKey: word,
  sessionToken: fc.option(word, { nil: undefined }),
});
const Region = fc.constantFrom("eu-west-2", "us-east-1", "cn-north-1", "local");
const SigningDate = fc.date({ min: new Date("2020-01-01"), max: new Date("2100-01-01"), noInvalidDate: true });

test("one signer with changing credentials, region and day signs every request as the SDK does", async () => {
  let credentials: AwsCredentialIdentity = { accessKeyId: "", secretAccessKey: "" };
  let region = "";
  const signer = requestSigner({ credentials: async () => credentials, region: async () => region });
  await fc.assert(
    fc.asyncProperty(
      fc.string({ unit: anyCharacter }),
      Credentials,
      Region,
      SigningDate,
      async (body, given, at, signingDate) => {
        [credentials, region] = [given, at];
        for (const _again of [1, 2]) {
          const { headers } = await signer.sign(requestOf(body), { signingDate });
          assert.deepEqual(headers, (await signedBySdk(body, given, at, signingDate)).headers);
        }
      },
    ),
    { numRuns: cases(50, 300) },
  );
});

test("a change of only the credentials, the region or the day changes the signature", async () => {
  const seen = new Set<string | undefined>();
  const given = { accessKeyId: "AKIA", secretAccessKey: "one" };
  let [credentials, region] = [given, "eu-west-2"];
  const signer = requestSigner({ credentials: async () => credentials, region: async () => region });
  const sign = async (signingDate: string) => {
    const { headers } = await signer.sign(requestOf("{}"), { signingDate: new Date(signingDate) });
    seen.add(headers.authorization?.split("Signature=")[1]);
  };
  await sign("2026-01-01T00:00:00Z");
  await sign("2026-01-02T00:00:00Z");
  credentials = { ...given, secretAccessKey: "two" };
  await sign("2026-01-02T00:00:00Z");
  region = "eu-west-1";
  await sign("2026-01-02T00:00:00Z");
  assert.equal(seen.size, 4);
});
