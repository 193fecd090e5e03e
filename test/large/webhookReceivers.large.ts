import assert from "node:assert/strict";
import { createSocket } from "node:dgram";
import { once } from "node:events";
import { createServer } from "node:http";
import { text } from "node:stream/consumers";
import { BatchWriteCommand } from "@aws-sdk/lib-dynamodb";
import { afterAll, beforeAll, test } from "@jest/globals";
import { changeRepository } from "../../functions/changes/changeRepository.ts";
import { recordItem } from "../../functions/records/recordItem.ts";
import { upsertRecord } from "../../functions/records/upsertRecord.ts";
import { streamedSortKeys } from "../../functions/stream/streamLimits.ts";
import { handler as tableStream } from "../../functions/stream/tableStream.ts";
import { documentClient } from "../../functions/table/client.ts";
import { itemKeys } from "../../functions/table/itemKeys.ts";
import { openTable } from "../../functions/table/table.ts";
import { putItem } from "../../functions/table/writes.ts";
import { batchSize, maximumConcurrency } from "../../functions/webhooks/deliveryLimits.ts";
import { post } from "../../functions/webhooks/receiver.ts";
import { sender } from "../../functions/webhooks/sendMessage.ts";
import { itemOf, readWebhook } from "../../functions/webhooks/storedWebhook.ts";
import { wakeDue, wakeFollowers } from "../../functions/webhooks/wakeUp.ts";
import { webhookRepository } from "../../functions/webhooks/webhookRepository.ts";
import { deliverBatch } from "../../functions/webhooks/webhooks.ts";
import { startLocalQueues, useLocalQueues } from "../../local/queues.ts";
import { startStreamFeed } from "../../packages/local-aws/dynamodb/streamFeed.ts";
import { startDelivery } from "../../packages/local-aws/queue/delivery.ts";
import { eventRecord } from "../support/data/records.ts";
import { useTestTable } from "../support/data/testTable.ts";
import { listen } from "../support/http/listen.ts";
import { until as untilMet } from "../support/service/until.ts";

/** A busy machine is many times slower than an idle one. */
const until = (isMet: () => Promise<boolean>) => untilMet(isMet, 100, 600_000);

const actor = { name: "Ada", subject: "1" };
/** The times of the healthy receiver's messages. */
const healthy: number[] = [];
/** The other receivers hold back these answers until the test ends: no receiver is slower. */
const held: (() => void)[] = [];
const receiver = createServer(async (incoming, outgoing) => {
  await text(incoming);
  const answer = () => outgoing.writeHead(204).end();
  if (incoming.url === "/slow") held.push(answer);
  else {
    healthy.push(Date.now());
    answer();
  }
});
let receiverUrl = "";
/** A DNS server that never answers. */
const dns = createSocket("udp4");
let queues: Awaited<ReturnType<typeof startLocalQueues>>;

beforeAll(async () => {
  receiverUrl = await listen(receiver);
  dns.bind(0, "127.0.0.1");
  await once(dns, "listening");
  queues = await startLocalQueues();
  useLocalQueues(queues);
  Object.assign(process.env, {
    WEBHOOK_LOCAL_KEY: "test",
    WEBHOOKS_ALLOW_LOOPBACK: "yes",
    BASE_URL: "http://localhost",
  });
});
afterAll(async () => {
  await queues.stop();
  dns.close();
});
const own = {
  ...sender,
  post: (url: string, headers: Readonly<Record<string, string>>, body: string) =>
    post(url, headers, body, {
      allowsLoopback: true,
      timeoutMs: 600_000,
      dnsServers: [`127.0.0.1:${dns.address().port}`],
    }),
};
const local = (path: string) => receiverUrl + path;
const perOrganisation = 20;

async function create(organisationId: number, url: string): Promise<string> {
  const { webhook } = await webhookRepository(organisationId, openTable()).create(
    { url: local("/"), types: ["event"] },
    actor,
  );
  const stored = await readWebhook(openTable(), organisationId, webhook.id);
  assert.ok(stored);
  // As after the first poll.
  const next_poll = new Date(Date.now() + 20 * 24 * 60 * 60 * 1_000).toISOString();
  await putItem(openTable(), itemOf({ ...stored, url, next_poll }));
  return webhook.id;
}
let events = 0;
function nextEvent(): number {
  events += 1;
  return events;
}
/** A change that is not hidden by a later one. */
const change = (organisationId: number) =>
  upsertRecord(openTable(), recordItem(eventRecord(organisationId, nextEvent())));

/** Waits until the organisation's changes show one. */
async function shown(organisationId: number): Promise<number> {
  const query = { types: ["event" as const], per_page: 1, cursor: undefined, changed_since: undefined };
  await until(async () => (await changeRepository(organisationId, openTable()).list(query)).data.length > 0);
  return Date.now();
}

test("400 silent receivers and 50 names that never resolve do not delay another organisation's webhook", async () => {
  const { tableName } = await useTestTable({ hasStream: true });
  const urls = [
    ...Array.from({ length: 400 }, () => local("/slow")),
    ...Array.from({ length: 50 }, (_, index) => `https://receiver-${index}.example.org/`),
  ];
  const organisationOf = (index: number) => 1 + Math.floor(index / perOrganisation);
  for (const [index, url] of urls.entries()) await create(organisationOf(index), url);
  const organisations = organisationOf(urls.length - 1);
  const other = organisations + 1;
  await create(other, local("/healthy"));
  queues.webhooks.purge();
  const wants = ({ SK }: { SK: string }) => streamedSortKeys.includes(SK);
  const stream = startStreamFeed(tableName, [{ wants, consumer: tableStream }]);
  const consumer: Parameters<typeof startDelivery>[1] = (event) => deliverBatch(event, openTable(), own);
  let lane: ReturnType<typeof startDelivery> | undefined;
  try {
    for (let organisationId = 1; organisationId <= organisations; organisationId++) await change(organisationId);
    // As with Lambda's window, the batches are full.
    await until(async () => queues.webhooks.counts().visible >= urls.length);
    lane = startDelivery(queues.webhooks, consumer, { batchSize, maximumConcurrency, retryMs: null });
    await until(async () => held.length >= 400);
    await change(other);
    const shownMs = await shown(other);
    await until(async () => healthy.length > 0);
    console.log(
      `The healthy receiver got its message ${((healthy[0] ?? 0) - shownMs) / 1_000} s after its change was shown.`,
    );
    // No other attempt had to end first: all receivers still keep their answers back.
    assert.ok(held.length >= 400);
  } finally {
    for (const answer of held) answer();
    receiver.closeAllConnections();
    await Promise.all([stream.stop(), lane?.stop()]);
  }
});

/** DynamoDB's limit for one call. */
const maximumBatch = 25;

test("a sweep and a wake-up cost the same with 10, 1,000 and 20,000 webhooks", async () => {
  await useTestTable();
  const id = await create(1, local("/healthy"));
  const template = await readWebhook(openTable(), 1, id);
  assert.ok(template);
  const costs: unknown[] = [];
  for (const [from, to] of [
    [1, 10],
    [10, 1_000],
    [1_000, 20_000],
  ] as const) {
    for (let start = from; start < to; start += maximumBatch) {
      const requests = Array.from({ length: Math.min(maximumBatch, to - start) }, (_, index) => {
        const number = start + index;
        const ofThis = { ...template, id: `${template.id.slice(0, -6)}${String(number).padStart(6, "0")}` };
        const Item = itemOf({ ...ofThis, organisation_id: 2 + Math.floor(number / perOrganisation) });
        return { PutRequest: { Item } };
      });
      const input = { RequestItems: { [openTable().name()]: requests } };
      const { UnprocessedItems } = await documentClient().send(new BatchWriteCommand(input));
      assert.deepEqual(UnprocessedItems, {});
    }
    const [sweep, wakeUp] = [openTable(), openTable()];
    await wakeDue(sweep, Date.now());
    queues.webhooks.purge();
    const accepted = new Date().toISOString();
    await wakeFollowers(wakeUp, [{ key: itemKeys.event(1, 1), accepted }]);
    costs.push({ sweep: sweep.usage, wakeUp: wakeUp.usage });
  }
  console.log(JSON.stringify(costs));
  const [ten, thousand, twentyThousand] = costs;
  assert.deepEqual([thousand, twentyThousand], [ten, ten]);
});
