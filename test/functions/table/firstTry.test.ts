import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer, type IncomingHttpHeaders, type RequestListener, type Server } from "node:http";
import { text } from "node:stream/consumers";
import { marshall } from "@aws-sdk/util-dynamodb";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "@jest/globals";
import { Sha256 } from "@smithy/core/checksum";
import { HttpRequest } from "@smithy/core/protocols";
import { SignatureV4 } from "@smithy/signature-v4";
import fc from "fast-check";
import { firstTry, toPlain } from "../../../functions/table/firstTry.ts";
import { fromAttributes } from "../../../functions/table/item.ts";
import { getItem } from "../../../functions/table/reads.ts";
import { portOf } from "../../../packages/local-aws/gateway/server.ts";
import { anyCharacter } from "../../support/data/records.ts";
import { tableAt } from "../../support/data/table.ts";
import { cases } from "../../support/jest/cases.ts";

interface Received {
  path: string | undefined;
  headers: IncomingHttpHeaders;
  body: string;
}

const environment = { ...process.env };
let server: Server;
let received: Received[];
let connections = 0;
/** Answers all requests but the first ones, which `answers` has. */
let answers: RequestListener[];

// One server, because the document client keeps its first endpoint.
beforeAll(async () => {
  server = createServer(async (incoming, outgoing) => {
    received.push({ path: incoming.url, headers: incoming.headers, body: await text(incoming) });
    const [answer = respond('{"Item":{"PK":{"S":"found"}}}')] = answers.splice(0, 1);
    answer(incoming, outgoing);
  }).on("connection", () => {
    connections += 1;
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
});

beforeEach(() => {
  received = [];
  answers = [];
  connections = 0;
  process.env.DYNAMODB_TIMEOUT_MS = "1000";
  setEnvironment({ AWS_ENDPOINT_URL_DYNAMODB: `http://127.0.0.1:${portOf(server)}` });
});

afterEach(() => {
  process.env = { ...environment };
});

afterAll(() => {
  server.close();
  server.closeAllConnections();
});

function setEnvironment(further: Record<string, string | undefined>): void {
  const own = {
    AWS_REGION: "eu-west-2",
    AWS_ACCESS_KEY_ID: "AKIA",
    AWS_SECRET_ACCESS_KEY: "secret",
    TABLE_NAME: "table",
  };
  for (const [name, value] of Object.entries({ ...own, ...further }))
    if (value === undefined) delete process.env[name];
    else process.env[name] = value;
}

const respond =
  (body: string, status = 200): RequestListener =>
  (_incoming, outgoing) =>
    outgoing.writeHead(status, { "Content-Type": "application/x-amz-json-1.0" }).end(body);

const key = { PK: "ORG#1#EVENT#1", SK: "EVENT" };
const read = (nowMs = Date.now()) => firstTry("GetItem", { TableName: "table", Key: key }, nowMs);
/** Through the document client, too, if the first try fails. */
const getFound = async (nowMs = Date.now()) =>
  (
    await getItem(
      tableAt(() => nowMs),
      key,
    )
  )?.PK;

test("reads one after another use one connection", async () => {
  for (const _again of [1, 2, 3]) assert.deepEqual((await read())?.Item, { PK: "found" });
  assert.equal(connections, 1);
});

describe("a try fails, and the document client repeats it, if the response", () => {
  const dripping: RequestListener = (_incoming, outgoing) => {
    outgoing.writeHead(200);
    const drip = setInterval(() => outgoing.write("{"), 50);
    outgoing.on("close", () => clearInterval(drip));
  };
  const cut: RequestListener = (_incoming, outgoing) => {
    outgoing.writeHead(200, { "Content-Length": 100 });
    outgoing.write('{"Item":{"PK":{"S":"', () => outgoing.destroy());
  };
  const error = (name: string, status = 400) => respond(JSON.stringify({ __type: `com.amazonaws#${name}` }), status);
  test.each<[string, RequestListener]>([
    ["never comes", () => undefined],
    ["never ends", dripping],
    ["is cut off", cut],
    ["is a switch of protocols", (_incoming, outgoing) => outgoing.writeHead(101).end()],
    ["is empty", respond("")],
    ["is half of an object", respond('{"Item":{"PK":{"S":"x"}')],
    ["is a list", respond("[]")],
    ["has another status", respond('{"Item":{"PK":{"S":"wrong"}}}', 203)],
    ["has an attribute without a type", respond('{"Item":{"PK":{}}}')],
    ["is a redirection", (_incoming, outgoing) => outgoing.writeHead(307, { Location: "http://127.0.0.1:9/" }).end()],
    ["is throttling", error("ThrottlingException")],
    ["is an internal error", error("InternalServerError", 500)],
  ])("%s", async (_what, answer) => {
    answers = [answer];
    await expect(read()).rejects.toThrow();
    answers = [answer];
    assert.equal(await getFound(), "found");
    assert.equal(received.length, 3);
  });

  test("says that the credentials have expired: the answer is the error", async () => {
    answers = [error("ExpiredTokenException"), error("ExpiredTokenException"), error("ExpiredTokenException")];
    await expect(getFound()).rejects.toMatchObject({ name: "ExpiredTokenException" });
  });

  test("says that the clock is wrong: the document client signs with the server's time", async () => {
    const wrongMs = Date.now() - 60 * 60 * 1_000;
    answers = [error("RequestTimeTooSkewed", 403), error("RequestTimeTooSkewed", 403)];
    const RealDate = Date.now;
    Date.now = () => wrongMs;
    const found = await getFound(wrongMs).finally(() => {
      Date.now = RealDate;
    });
    assert.equal(found, "found");
    const [first = "", , last = ""] = received.map(({ headers }) => String(headers["x-amz-date"]));
    assert.ok(last > first, `${first} ${last}`);
  });
});

test("a first try is signed with the table's time, which a wrong local clock does not change", async () => {
  await getFound(Date.UTC(2030, 0, 2, 3, 4, 5));
  assert.equal(received[0]?.headers["x-amz-date"], "20300102T030405Z");
});

describe("the endpoint", () => {
  test("is AWS_ENDPOINT_URL if there is none for DynamoDB", async () => {
    setEnvironment({ AWS_ENDPOINT_URL_DYNAMODB: undefined, AWS_ENDPOINT_URL: `http://127.0.0.1:${portOf(server)}` });
    assert.ok(await read());
    setEnvironment({
      AWS_ENDPOINT_URL: "http://127.0.0.1:9",
      AWS_ENDPOINT_URL_DYNAMODB: `http://127.0.0.1:${portOf(server)}`,
    });
    assert.ok(await read());
  });

  test("is the document client's if it has a path", async () => {
    setEnvironment({ AWS_ENDPOINT_URL_DYNAMODB: `http://127.0.0.1:${portOf(server)}/base` });
    assert.equal(await read(), undefined);
  });

  test.each([
    ["AWS's in Lambda", { AWS_LAMBDA_FUNCTION_NAME: "f" }, true],
    ["the document client's outside Lambda, where files may name another", {}, false],
    ["the document client's in another partition", { AWS_LAMBDA_FUNCTION_NAME: "f", AWS_REGION: "cn-north-1" }, false],
    ["the document client's with FIPS", { AWS_LAMBDA_FUNCTION_NAME: "f", AWS_USE_FIPS_ENDPOINT: "true" }, false],
    [
      "the document client's without credentials",
      { AWS_LAMBDA_FUNCTION_NAME: "f", AWS_ACCESS_KEY_ID: undefined },
      false,
    ],
  ])("without a variable is %s", async (_what, further, isTried) => {
    setEnvironment({ AWS_ENDPOINT_URL_DYNAMODB: undefined, ...further });
    // Nothing listens there: a name that does not resolve, or an unreachable address.
    const tried = await read().then(
      (output) => output !== undefined,
      () => true,
    );
    assert.equal(tried, isTried);
  });
});

const word = fc.stringMatching(/^[!-~]{1,60}$/);
const Credentials = fc.record({
  AWS_ACCESS_KEY_ID: fc.stringMatching(/^[A-Z0-9]{16,20}$/),
  AWS_SECRET_ACCESS_KEY: word,
  AWS_SESSION_TOKEN: fc.option(word, { nil: undefined }),
});
const Region = fc.constantFrom("eu-west-2", "us-east-1", "cn-north-1", "local");
const SigningDate = fc.date({ min: new Date("2020-01-01"), max: new Date("2100-01-01"), noInvalidDate: true });

/** The header as the SDK's signer makes it for a request that has arrived. */
async function signedBySdk(
  { headers, body }: Received,
  environment: Record<string, string | undefined>,
  region: string,
  at: Date,
) {
  const { host = "" } = headers;
  const credentials = {
    accessKeyId: environment.AWS_ACCESS_KEY_ID ?? "",
    secretAccessKey: environment.AWS_SECRET_ACCESS_KEY ?? "",
    ...(environment.AWS_SESSION_TOKEN !== undefined && { sessionToken: environment.AWS_SESSION_TOKEN }),
  };
  const signer = new SignatureV4({ credentials, region, service: "dynamodb", sha256: Sha256, applyChecksum: false });
  const request = new HttpRequest({
    method: "POST",
    path: "/",
    headers: { host, "x-amz-target": String(headers["x-amz-target"]) },
    body,
  });
  return (await signer.sign(request, { signingDate: at })).headers.authorization;
}

test("requests with changing credentials, regions and days are signed as the SDK does", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.string({ unit: anyCharacter }),
      Credentials,
      Region,
      SigningDate,
      async (PK, given, region, at) => {
        setEnvironment({ ...given, AWS_REGION: region });
        for (const _again of [1, 2]) {
          await firstTry("GetItem", { TableName: "table", Key: { PK } }, at.getTime());
          const request = received.pop();
          assert.ok(request);
          assert.equal(request.headers.authorization, await signedBySdk(request, given, region, at));
        }
      },
    ),
    { numRuns: cases(50, 300) },
  );
});

test("every plain value survives storage and JSON unchanged, as the document client reads it", () => {
  // Names end in _ because the library refuses a member named "constructor", which no schema has.
  const { value } = fc.letrec((tie) => ({
    value: fc.oneof(
      { maxDepth: 4 },
      fc.string({ unit: anyCharacter }),
      fc.integer(),
      fc.constantFrom(Number.MAX_SAFE_INTEGER, Number.MIN_SAFE_INTEGER),
      fc.double({ noNaN: true, noDefaultInfinity: true }).map((number) => number || 0),
      fc.boolean(),
      fc.constant(null),
      fc.array(tie("value")),
      fc.dictionary(fc.stringMatching(/^[a-z]+_$/), tie("value"), { noNullPrototype: true }),
    ),
  }));
  fc.assert(
    fc.property(fc.dictionary(fc.stringMatching(/^[a-z]+_$/), value, { noNullPrototype: true }), (item) => {
      const attributes = JSON.parse(JSON.stringify(marshall(item, { allowImpreciseNumbers: true })));
      assert.deepEqual(toPlain(attributes), item);
      assert.deepEqual(fromAttributes(attributes), item);
    }),
  );
});
