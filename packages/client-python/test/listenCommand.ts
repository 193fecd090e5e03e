import assert from "node:assert/strict";
import { on } from "node:events";
import { createServer, type IncomingHttpHeaders } from "node:http";
import { text } from "node:stream/consumers";
import { test } from "@jest/globals";
import { Webhook } from "standardwebhooks";
import { webhookMessages } from "../../../functions/webhooks/message.ts";
import { post } from "../../../functions/webhooks/receiver.ts";
import { sendMessage } from "../../../functions/webhooks/sendMessage.ts";
import type { StoredWebhook } from "../../../functions/webhooks/storedWebhook.ts";
import { listen } from "../../../test/support/http/listen.ts";
import { acceptedAt, eventIds, orderIds, organisationId } from "../../../test/support/service/integratorStage.ts";
import { writeThroughApi } from "../../../test/support/sync/mirror.ts";
import { ticketingClient } from "../../client-typescript/index.ts";
import { client, command, environment, recordsOf, stage } from "./support/copiedStage.ts";

/** A command that prints nothing must not keep a test waiting. */
const outputMs = 120_000;

interface Received {
  headers: IncomingHttpHeaders;
  body: string;
}

/** Receives messages, and responds with these statuses in turn, then with 204. */
async function receiver(statuses: number[] = []) {
  const messages: Received[] = [];
  let wake: (() => void) | undefined;
  const url = await listen(
    createServer(async (request, response) => {
      messages.push({ headers: request.headers, body: await text(request) });
      response.writeHead(statuses.shift() ?? 204).end();
      wake?.();
    }),
  );
  /** Waits until the messages that were received satisfy a condition. */
  async function until(isEnough: () => boolean): Promise<void> {
    while (!isEnough())
      await new Promise<void>((resolve) => {
        wake = resolve;
      });
  }
  return { url: `${url}/hook`, messages, until };
}

const changesIn = ({ body }: Received) => webhookMessages.changes.parse(JSON.parse(body)).data.changes;

function startListening(url: string, since: string, variables: Record<string, string> = {}) {
  const { child, ended } = command.start(["listen", "--forward-to", url, "--since", since], {
    ...environment,
    ...variables,
  });
  return {
    ended,
    /** Waits until the command has printed a text. */
    async printed(text: string): Promise<void> {
      let printed = "";
      for await (const part of on(child.stdout, "data", { signal: AbortSignal.timeout(outputMs) })) {
        printed += part;
        if (printed.includes(text)) return;
      }
    },
    async stop() {
      child.kill("SIGINT");
      const { code, stdout, stderr } = await ended;
      assert.equal(code, 0, stderr);
      return stdout;
    },
  };
}

const secretIn = (stdout: string) => /^Signing secret: (whsec_\S+)$/m.exec(stdout)?.[1] ?? assert.fail(stdout);

test("ticketing listen posts every change as the service does, signed with the secret that it prints", async () => {
  await stage.put(...recordsOf(1_001, "first"));
  const [eventId = 0] = eventIds;
  const [orderId = 0] = orderIds;
  await writeThroughApi(ticketingClient(stage), stage, { eventId, orderId });
  const { url, messages, until } = await receiver();
  const listening = startListening(url, acceptedAt(0));
  const shown = async () => (await client.rows("/v1/changes")).length;
  await until(() => messages.flatMap(changesIn).some(({ type }) => type === "balance_payment"));
  const before = messages.length;
  await stage.put(...recordsOf(1_002, "later"));
  const all = await shown();
  await until(() => messages.flatMap(changesIn).length >= all);
  const webhook = new Webhook(secretIn(await listening.stop()));

  const expected = (await client.rows("/v1/changes")).map(({ data, ...place }) => {
    const { event_id } = Object(data);
    return place.type === "balance_payment" ? { ...place, event_id } : place;
  });
  assert.deepEqual(messages.flatMap(changesIn), expected);
  for (const [index, { body, headers }] of messages.entries()) {
    const { data, ...message } = webhookMessages.changes.parse(JSON.parse(body));
    assert.equal(body, JSON.stringify({ ...message, data }));
    assert.equal(data.has_more, index < before - 1);
    assert.equal(data.organisation_id, organisationId);
    webhook.verify(body, headers as Record<string, string>);
    assert.throws(() => webhook.verify(`${body} `, headers as Record<string, string>));
  }
  await assertSentAlike(messages[0] ?? assert.fail(), url, messages);
});

test("ticketing listen repeats a failed message after a delay, and ends with a summary", async () => {
  const { url, messages } = await receiver([500, 302]);
  const secret = `whsec_${Buffer.alloc(32, 7).toString("base64")}`;
  const listening = startListening(url, acceptedAt(1), { WEBHOOK_SECRET: secret });
  await listening.printed("302");
  const stdout = await listening.stop();
  assert.equal(secretIn(stdout), secret);
  assert.match(
    stdout,
    /^\d\d:\d\d:\d\d {2}100 changes: 500 in \d+ ms\. Next try in 5 s\n.*302 in \d+ ms\. Next try in 30 s$/m,
  );
  assert.match(stdout, /^0 messages with 0 changes accepted, 2 attempts failed\.\n$/m);
  const [first, second] = messages.map(({ headers }) => headers["webhook-id"]);
  assert.equal(first, second);
});

test("ticketing listen ends with code 1 if the receiver responds 410, and with code 2 for a malformed secret", async () => {
  const { url } = await receiver([410]);
  const { code, stderr } = await startListening(url, acceptedAt(1)).ended;
  assert.match(stderr, /^The receiver responds 410, /);
  assert.equal(code, 1);
  const malformed = await startListening(url, acceptedAt(1), { WEBHOOK_SECRET: "whsec_short" }).ended;
  assert.match(malformed.stderr, /^The secret must be a webhook's: /);
  assert.equal(malformed.code, 2);
});

/** Lets the service's own code send a message, and compares its headers. */
async function assertSentAlike({ headers, body }: Received, url: string, messages: Received[]): Promise<void> {
  const stored = { organisation_id: organisationId, id: "w", url, secret_version: 1, earlier_secret_until: null };
  const message = { id: "msg_1", body: JSON.parse(body), baseUrl: environment.BASE_URL };
  await sendMessage(stored as unknown as StoredWebhook, message, {
    mac: async () => Buffer.alloc(32, 7),
    post: (to, sent, content) => post(to, sent, content, { allowsLoopback: true }),
  });
  const { headers: expected, body: expectedBody } = messages.at(-1) ?? assert.fail();
  assert.equal(body, expectedBody);
  const changing = ["webhook-id", "webhook-timestamp", "webhook-signature"];
  const constant = (all: IncomingHttpHeaders) =>
    Object.fromEntries(Object.entries(all).map(([name, value]) => [name, changing.includes(name) ? "" : value]));
  assert.deepEqual(constant(headers), constant(expected));
}
