import assert from "node:assert/strict";
import { gzipSync } from "node:zlib";
import { marshall } from "@aws-sdk/util-dynamodb";
import { routes } from "../../../functions/mcp/routes.ts";
import { BalancePayment } from "../../../functions/resources/balancePayment.ts";
import { exampleOf } from "../../../functions/resources/fields.ts";
import { itemKeys } from "../../../functions/table/itemKeys.ts";
import { proxyEvent } from "../../fuzz/support/requests.ts";
import type { Json } from "../../lib/support/synthesise.ts";
import { eventRecord } from "../../support/data/records.ts";
import { requiredQueries } from "../../support/http/examples.ts";
import { ofQuery } from "../../support/http/invoke.ts";

/** An event for a function, and the assertion about its response. */
export interface Call {
  event: unknown;
  assertAnswer: (answer: Json) => void;
}

const region = "eu-west-1";
const methodArn = `arn:aws:execute-api:${region}:123456789012:api/prod/GET/v1/events`;

/** A valid request to each endpoint. The table has no such items, so no id is found. */
export const requests: Record<string, Call> = Object.fromEntries(
  routes.map((endpoint) => [
    endpoint.operationId,
    {
      event: proxyEvent(endpoint, ofQuery(requiredQueries[endpoint.operationId] ?? {})),
      assertAnswer: ({ statusCode }) =>
        assert.equal(statusCode, endpoint.path.includes("{id}") ? 404 : (endpoint.status ?? 200)),
    },
  ]),
);

/** API Gateway's question whether a token is valid. */
export function authorization(token: string): Call {
  return {
    event: { type: "TOKEN", authorizationToken: `Bearer ${token}`, methodArn },
    assertAnswer: ({ policyDocument }) => assert.equal(policyDocument.Statement[0].Effect, "Allow"),
  };
}

function sqsEvent(body: unknown) {
  const attributes = { ApproximateReceiveCount: "1", SentTimestamp: "1764400000000" };
  const source = { eventSource: "aws:sqs", eventSourceARN: `arn:aws:sqs:${region}:123456789012:queue` };
  const message = { messageId: "m", receiptHandle: "r", body: JSON.stringify(body), messageAttributes: {} };
  return { Records: [{ ...message, ...source, attributes, awsRegion: region }] };
}

const payment = { ...itemKeys.balance_payment(1, 4), ...BalancePayment.parse(exampleOf(BalancePayment)) };
const change = {
  eventID: "c4ca4238a0b923820dcc509a6f75849b",
  eventName: "INSERT",
  eventVersion: "1.1",
  eventSource: "aws:dynamodb",
  awsRegion: region,
  dynamodb: {
    ApproximateCreationDateTime: 1_764_400_000,
    SequenceNumber: "1",
    SizeBytes: 1,
    StreamViewType: "NEW_AND_OLD_IMAGES",
    Keys: marshall({ PK: payment.PK, SK: payment.SK }),
    NewImage: marshall(payment, { removeUndefinedValues: true }),
  },
};

const requestLine = { message: "request", organisation_id: 1, key_id: "k1", operation_id: "getEvent", status: 200 };
const delivery = {
  messageType: "DATA_MESSAGE",
  logGroup: "requests",
  logEvents: [{ id: "1", timestamp: Date.now(), message: JSON.stringify({ ...requestLine, request_id: "r1" }) }],
};

const noFailures = { batchItemFailures: [] };
const returns = (event: unknown, expected: unknown): Call => ({
  event,
  assertAnswer: (answer) => assert.deepEqual(answer, expected),
});

/** An event for each function that serves no requests, in the form in which its own source sends it. */
export const jobs: Record<string, Call> = {
  feed: returns(sqsEvent([eventRecord(2, 1)]), noFailures),
  tableStream: returns({ Records: [change] }, noFailures),
  webhooks: returns(sqsEvent({ organisation_id: 1, id: "0mi7c1q2k5f0c2a9d1e4b" }), noFailures),
  usage: returns({ awslogs: { data: gzipSync(JSON.stringify(delivery)).toString("base64") } }, null),
  outgoingEvents: {
    event: [change],
    assertAnswer: ([{ detail_type }]) => assert.equal(detail_type, "ticketing.balance_payment_recorded"),
  },
  probe: returns({ version: "0", "detail-type": "Scheduled Event", source: "aws.events", detail: {} }, null),
};

/** EventBridge's message about a new object in the bucket for imports. */
export function importOf({ bucket, key, etag, sizeBytes }: Record<string, unknown>): Call {
  const object = { key, size: sizeBytes, etag, sequencer: "617f08299329d189" };
  const detail = { version: "0", bucket: { name: bucket }, object, reason: "PutObject" };
  return returns(sqsEvent({ version: "0", "detail-type": "Object Created", source: "aws.s3", detail }), null);
}
