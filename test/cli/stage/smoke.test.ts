import assert from "node:assert/strict";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { beforeEach, describe, test } from "@jest/globals";
import { Refusal, startFakeAws } from "../../support/aws/fakeAws.ts";
import { listen } from "../../support/http/listen.ts";
import { runProgram, smoke } from "../support/runProgram.ts";

/** The checks themselves are tested with the probe, which makes the same ones. */
describe("a broken service", () => {
  let url: string;
  let requests: number;
  let respond: (incoming: IncomingMessage, outgoing: ServerResponse) => void;
  beforeEach(async () => {
    requests = 0;
    const server = createServer((incoming, outgoing) => {
      requests++;
      respond(incoming, outgoing);
    });
    url = await listen(server);
  });

  const failuresOf = async (timeoutSeconds = 60) => {
    const options = ["--timeout", String(timeoutSeconds)];
    const { code, stdout } = await smoke(url, "tsk_any", ...options);
    assert.deepEqual([code, requests], [1, 4]);
    return stdout.split("\n").slice(0, -1);
  };

  test("fails once for each request, which it does not repeat", async () => {
    respond = (_, outgoing) => outgoing.writeHead(503).end('{"code":"service_unavailable"}');
    const failures = await failuresOf();
    assert.equal(failures.length, 4);
    for (const failure of failures) assert.match(failure, /^FAIL .*: The status is 503, not \d+\. X-Request-Id: none$/);
  });

  test("fails if it does not respond in time", async () => {
    respond = () => undefined;
    for (const failure of await failuresOf(1)) assert.match(failure, /^FAIL .*: The request failed: TimeoutError\.$/);
  });
});

describe("a stage", () => {
  const server = createServer(({ url }, outgoing) => {
    const status = url === "/v1/key" ? 401 : 200;
    outgoing
      .writeHead(status, { "Content-Type": "text/html" })
      .end(status === 401 ? '{"code":"unauthorized"}' : "<html>");
  });
  let aws: Awaited<ReturnType<typeof startFakeAws>>;
  beforeEach(async () => {
    aws = await startFakeAws();
  });
  const run = (SMOKE_KEY: string | undefined, ...commandLine: string[]) =>
    runProgram("smoke", commandLine, { environment: { ...aws.environment, SMOKE_KEY } });
  const outputs = (BaseUrl: string) => ({
    DescribeStacks: ({ StackName }: { StackName: string }) =>
      StackName === "ticketing-dev"
        ? { Stacks: [{ StackName, Outputs: [{ OutputKey: "BaseUrl", OutputValue: BaseUrl }] }] }
        : new Refusal("ValidationError", "does not exist"),
  });

  test("without a key is tested at the address of its API stack, by the checks that need no key", async () => {
    aws.answers = outputs(`${await listen(server)}/`);
    const { code, stdout } = await run(undefined, "--stage", "dev", "--new");
    assert.equal(code, 0);
    assert.match(
      stdout,
      /^LEFT OUT {2}GET \/v1\/key: SMOKE_KEY is not set\.\nLEFT OUT {2}GET \/v1\/events: SMOKE_KEY is not set\.\nok .* with an unknown key.*\nok .*\/developer.*\n$/,
    );
    // A key is used whenever there is one.
    const { code: withKey, stdout: all } = await run("tsk_wrong", "--stage", "dev", "--new");
    assert.deepEqual([withKey, all.split("\n").length], [1, 5]);
  });

  test("that is not deployed is reported in words", async () => {
    aws.answers = { DescribeStacks: new Refusal("ValidationError", "does not exist") };
    const { code, stderr } = await run("tsk_a", "--stage", "dev");
    assert.deepEqual([code, stderr], [2, "The stage dev has no output BaseUrl in this account and region.\n"]);
  });
});
