import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { setTimeout as wait } from "node:timers/promises";
import { DynamoDBClient, GetItemCommand } from "@aws-sdk/client-dynamodb";
import { SQSClient } from "@aws-sdk/client-sqs";
import { marshall } from "@aws-sdk/util-dynamodb";
import { jest, test } from "@jest/globals";
import type { DynamoDBStreamEvent, SQSRecord } from "aws-lambda";
import { consumeRecords } from "../../../functions/stream/tableStream.ts";
import { itemKeys } from "../../../functions/table/itemKeys.ts";
import { wakeDue } from "../../../functions/webhooks/wakeUp.ts";
import { deliverBatch } from "../../../functions/webhooks/webhooks.ts";
import { interceptCalls } from "../../support/data/interceptCalls.ts";
import { cases } from "../../support/jest/cases.ts";
import {
  bodies,
  change,
  create,
  queues,
  sender,
  show,
  state,
  table,
  useDeliveries,
} from "../../support/webhooks/deliveries.ts";

useDeliveries();

process.env.BASE_URL = "https://api.example";

/** The number of calls before the process is killed, and whether the last one still arrives. */
let left = Infinity;
let isLastDone = false;

class Killed extends Error {
  override readonly name = "Killed";
}

/** Kills the process at its next call to AWS, or after it. A killed process makes no further call. */
function killAtACall(): void {
  const untilKilled = async (send: () => Promise<unknown>) => {
    left -= 1;
    if (left < 0 || (left === 0 && !isLastDone)) throw new Killed();
    const response = await send();
    if (left === 0) throw new Killed();
    return response;
  };
  interceptCalls((_call, send) => untilKilled(send));
  const { prototype } = SQSClient as unknown as { prototype: { send: (...call: unknown[]) => Promise<unknown> } };
  const { send } = prototype;
  jest.spyOn(prototype, "send").mockImplementation(async function (this: unknown, ...call: unknown[]) {
    return await untilKilled(() => send.apply(this, call));
  });
}

/** Runs a function as Lambda does: what it returns counts only if it was not killed. */
async function run<Response>(work: () => Promise<Response>): Promise<Response | undefined> {
  const response = await work().catch((error: unknown) => {
    if (left > 0) throw error;
    return undefined;
  });
  if (left > 0) return response;
  // Its other calls that were under way fail, too.
  await wait(20);
  left = Infinity;
  return undefined;
}

async function streamed(id: number): Promise<DynamoDBStreamEvent> {
  const Keys = marshall(itemKeys.event(state.organisationId, id));
  const { Item } = await new DynamoDBClient().send(new GetItemCommand({ TableName: table.name(), Key: Keys }));
  const dynamodb = { SequenceNumber: "1", Keys, NewImage: Item };
  return { Records: [{ eventID: "1", eventName: "MODIFY", dynamodb }] } as DynamoDBStreamEvent;
}

/** Runs the sweep, which is not killed: the next one repeats it. */
async function sweep(): Promise<void> {
  const kept = left;
  left = Infinity;
  await wakeDue(table, state.nowMs);
  left = kept;
}

/** Lets the platform run until nothing is left to do: the stream and the queue repeat what was not completed. */
async function runAll(event: DynamoDBStreamEvent): Promise<void> {
  for (let tries = 0; ; tries++) {
    assert.ok(tries < 5);
    const response = await run(() => consumeRecords(event, table));
    if (response?.batchItemFailures.length === 0) break;
  }
  let inFlight: SQSRecord[] = [];
  for (let quiet = 0; quiet < 2; ) {
    // Longer than a delay, a claim and the visibility timeout; less than a retry that the sweep has to find.
    state.nowMs += 70_000;
    inFlight.push(...takeSent());
    // In production it also runs while messages are in flight.
    if (cases(inFlight.length === 0, true)) {
      await sweep();
      inFlight.push(...takeSent());
    }
    quiet = inFlight.length === 0 ? quiet + 1 : 0;
    const batch = inFlight;
    const response = await run(() => deliverBatch({ Records: batch }, table, sender));
    const failed = response?.batchItemFailures.map(({ itemIdentifier }) => itemIdentifier);
    inFlight = failed ? batch.filter(({ messageId }) => failed.includes(messageId)) : batch;
  }
}

/** All messages in the queue. */
function takeSent(): SQSRecord[] {
  const sent = [...queues.webhooks.receive(100), ...queues.webhooks.delayed()];
  queues.webhooks.purge();
  return sent.map(({ body }) => recordOf(body));
}

function recordOf(body: string): SQSRecord {
  const messageId = randomUUID();
  return { messageId, receiptHandle: messageId, body, attributes: { ApproximateReceiveCount: "1" } } as SQSRecord;
}

test.each([
  ["200", [200]],
  ["500 twice", [500, 500, 200]],
])("a change arrives, whatever call to AWS a function is killed at; the receiver responds %s", async (_, answers) => {
  for (const isDone of [false, true])
    for (let calls = 1; ; calls++) {
      state.organisationId += 1;
      Object.assign(state, { received: [], answers: [] });
      await create(["event"]);
      queues.webhooks.purge();
      await change(1, `${isDone} ${calls}`);
      show();
      state.answers = [...answers];
      const event = await streamed(1);
      killAtACall();
      [left, isLastDone] = [calls, isDone];
      await runAll(event);
      const wasKilled = left === Infinity;
      jest.restoreAllMocks();
      left = Infinity;
      const accepted = bodies().length - (answers.length - 1);
      assert.ok(accepted >= 1, `killed at call ${calls}`);
      if (wasKilled) continue;
      // Without a kill, every message was posted once.
      assert.equal(accepted, 1);
      assert.ok(calls > 10);
      break;
    }
});
