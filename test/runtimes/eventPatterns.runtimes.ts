import assert from "node:assert/strict";
import { marshall } from "@aws-sdk/util-dynamodb";
import { test } from "@jest/globals";
import { importPrefix, isImport } from "../../functions/feed/importLimits.ts";
import { recordItem, tombstone } from "../../functions/records/recordItem.ts";
import { BalancePayment } from "../../functions/resources/balancePayment.ts";
import { exampleOf } from "../../functions/resources/fields.ts";
import { recordResources } from "../../functions/resources/index.ts";
import type { RecordType } from "../../functions/resources/record.ts";
import { outgoingEventOf } from "../../functions/stream/outgoingEvents.ts";
import { streamedSortKeys } from "../../functions/stream/streamLimits.ts";
import type { Item } from "../../functions/table/item.ts";
import { itemKeys } from "../../functions/table/itemKeys.ts";
import { allFeatures } from "../lib/support/allFeatures.ts";
import { type Json, only, resourcesOf, synthesise } from "../lib/support/synthesise.ts";
import { anyRecord, orderRecord } from "../support/data/records.ts";
import { runJava } from "./support/runJava.ts";

/*
 * The event patterns of the templates in Event Ruler, the engine of EventBridge, its pipes and Lambda's filters.
 */

const { template } = await synthesise(allFeatures);

/** The name that a reference in a pattern has here. */
const [name, arn] = ["ticketing-imports", "arn:aws:dynamodb:eu-west-1:123456789012:table/ticketing"];
const resolve = (value: Json): Json =>
  JSON.parse(JSON.stringify(value), (_key, part) => (part?.Ref ? name : part?.["Fn::GetAtt"] ? arn : part));

const filtersOf = ({ FilterCriteria }: Json): Json[] =>
  FilterCriteria.Filters.map(({ Pattern }: Json) => JSON.parse(Pattern));
const mappingFilters = resourcesOf(template, "AWS::Lambda::EventSourceMapping").flatMap(([, { Properties }]) =>
  Properties.FilterCriteria ? filtersOf(Properties) : [],
);
const pipeFilters = filtersOf(only(template, "AWS::Pipes::Pipe").Properties.SourceParameters);
const rules = resourcesOf(template, "AWS::Events::Rule").flatMap(([, { Properties }]) =>
  Properties.EventPattern ? [resolve(Properties.EventPattern)] : [],
);
const ruleOf = (source: string) => rules.filter((rule) => rule.source.includes(source));

/** True for each event that one of the patterns matches. */
function matchesOf(patterns: Json[], events: readonly unknown[]): boolean[] {
  const inputs = events.flatMap((event) => patterns.map((pattern) => ({ pattern, event })));
  const results = runJava("EventRuler.java", inputs);
  return events.map((_event, index) =>
    results.slice(index * patterns.length, (index + 1) * patterns.length).includes(true),
  );
}

/** A change in the form of the table's stream. */
function change([before, after]: readonly [Item | undefined, Item | undefined]) {
  const { PK, SK } = { ...before, ...after };
  const options = { removeUndefinedValues: true };
  return {
    eventID: "c4ca4238a0b923820dcc509a6f75849b",
    eventName: before ? (after ? "MODIFY" : "REMOVE") : "INSERT",
    eventVersion: "1.1",
    eventSource: "aws:dynamodb",
    awsRegion: "eu-west-1",
    dynamodb: {
      ApproximateCreationDateTime: 1_764_400_000,
      SequenceNumber: "1",
      SizeBytes: 1,
      StreamViewType: "NEW_AND_OLD_IMAGES",
      Keys: marshall({ PK, SK }),
      ...(before && { OldImage: marshall(before, options) }),
      ...(after && { NewImage: marshall(after, options) }),
    },
  };
}

const payment: Item = {
  ...itemKeys.balance_payment(1, 4),
  GSI1PK: "list",
  ...BalancePayment.parse(exampleOf(BalancePayment)),
};
const order = recordItem(orderRecord(1, 9, { event_id: 5, date_id: 6 }));
const noted = (admin_note: string | null): Item => ({
  ...order,
  api_note: { admin_note, date_modified: "2026-01-02T03:04:05.006Z" },
});
const webhook: Item = {
  ...itemKeys.webhook(1, "0mi7"),
  id: "0mi7",
  url: "https://crm.example.org/",
  failing_since: "2026-11-23T10:00:12.031Z",
};
const disabled = { ...webhook, webhook_disabled: "2026-11-28T10:04:40.114Z" };

/** An item of each type that the table contains. */
const records = Object.keys(recordResources).map(
  (type): Item => recordItem(anyRecord(type as RecordType, 1, 7, "text")),
);
const others = Object.entries<(...parts: never[]) => { PK: string; SK: string }>(itemKeys).map(
  ([type, keyOf]): Item => {
    const { PK, SK } = keyOf(...([1, "2", "3", "4"] as never[]));
    return { PK: String(PK), SK: String(SK), type };
  },
);
const deletion = tombstone({ type: "order", organisation_id: 1, id: 9, deleted: true, version: 1 });
const items: Item[] = [...records, ...others, payment, order, noted("x"), noted(null), webhook];
const changes = [
  ...items.flatMap(
    (item) =>
      [
        [undefined, item],
        [item, { ...item, changed: true }],
        [item, undefined],
      ] as const,
  ),
  [order, noted("x")] as const,
  [noted("x"), noted(null)] as const,
  [noted("x"), deletion] as const,
  [order, deletion] as const,
  [webhook, disabled] as const,
  [disabled, webhook] as const,
].map(change);

test("the stream's function gets each change of a counted or listed item, and no other", () => {
  assert.equal(mappingFilters.length, 1);
  const expected = changes.map(({ dynamodb }) => streamedSortKeys.includes(String(dynamodb.Keys.SK?.S)));
  assert.deepEqual(matchesOf(mappingFilters, changes), expected);
  assert.ok(expected.includes(true) && expected.includes(false));
});

test("the pipe gets every change that becomes an event, and nothing about keys", () => {
  const becomes = changes.map((one) => outgoingEventOf(one) !== undefined);
  const matches = matchesOf(pipeFilters, changes);
  assert.ok(becomes.filter(Boolean).length >= 4);
  for (const [index, { eventName, dynamodb }] of changes.entries()) {
    if (becomes[index]) assert.ok(matches[index], JSON.stringify(dynamodb));
    const type = String(dynamodb.Keys.PK?.S).split("#")[2];
    if (/^(APIKEYS|ACCESS|ACTIVITY|IDEMPOTENCY|KEYUSAGE)$/.test(String(type)))
      assert.ok(!matches[index], JSON.stringify(dynamodb));
    if (eventName === "REMOVE") assert.ok(!matches[index], JSON.stringify(dynamodb));
  }
});

test("an imported order without a note and a balance payment that changes do not reach the pipe", () => {
  const silent = [
    [undefined, order],
    [order, { ...order, reference: "K" }],
    [payment, { ...payment, x: 1 }],
  ] as const;
  assert.deepEqual(matchesOf(pipeFilters, silent.map(change)), [false, false, false]);
});

/** https://docs.aws.amazon.com/AmazonS3/latest/userguide/ev-events.html */
const created = (key: string, bucket = name, detailType = "Object Created") => ({
  version: "0",
  id: "17793124-05d4-b198-2fde-7ededc63b103",
  "detail-type": detailType,
  source: "aws.s3",
  account: "123456789012",
  time: "2026-11-28T00:00:00Z",
  region: "eu-west-1",
  resources: [`arn:aws:s3:::${bucket}`],
  detail: {
    version: "0",
    bucket: { name: bucket },
    object: { key, size: 5, etag: "b1946ac92492d2347c6235b4d2611184", sequencer: "00617F08299329D189" },
    "request-id": "N4N7GDK58NMKJ12R",
    requester: "123456789012",
    "source-ip-address": "203.0.113.7",
    reason: "PutObject",
  },
});

test("the rule for files matches exactly the keys that are imported, in its own bucket", () => {
  const names = [
    "a.ndjson",
    "a/b.ndjson.gz",
    ".ndjson",
    "é \u{1f3ab}.ndjson",
    "a*.ndjson",
    "a\\b.ndjson.gz",
    "a.ndjson.ndjson",
  ];
  const wrong = ["a.json", "a.ndjson.zip", "a.NDJSON", "andjson", "a.ndjson ", "a.ndjson/", "", "a.ndjson.gz.gz"];
  const keys = [...names, ...wrong].flatMap((one) => [
    `${importPrefix}${one}`,
    one,
    `reports/${one}`,
    `/imports/${one}`,
  ]);
  const events = keys.map((key) => created(key));
  assert.deepEqual(matchesOf(ruleOf("aws.s3"), events), keys.map(isImport));
  const foreign = [created("imports/a.ndjson", "other"), created("imports/a.ndjson", name, "Object Deleted")];
  assert.deepEqual(matchesOf(ruleOf("aws.s3"), foreign), [false, false]);
});

/** https://docs.aws.amazon.com/aws-backup/latest/devguide/eventbridge.html */
const backup = (detailType: string, state: string, resourceArn = arn) => ({
  version: "0",
  id: "29af2049-eb2a-2f67-1abe-de72a8d5b5c5",
  "detail-type": detailType,
  source: "aws.backup",
  account: "123456789012",
  time: "2026-11-28T01:30:00Z",
  region: "eu-west-1",
  resources: ["arn:aws:backup:eu-west-1:123456789012:recovery-point:1"],
  detail: { backupJobId: "2", bytesTransferred: "0", resourceArn, resourceType: "DynamoDB", state, percentDone: 0 },
});

test("the rule for backups matches each failure of the table's backups and copies, and nothing else", () => {
  const [types, states] = [
    ["Backup Job State Change", "Copy Job State Change"],
    ["FAILED", "ABORTED", "EXPIRED"],
  ];
  const failures = types.flatMap((type) => states.map((state) => backup(type, state)));
  const near = [
    ...["CREATED", "RUNNING", "COMPLETED"].map((state) => backup("Backup Job State Change", state)),
    backup("Restore Job State Change", "FAILED"),
    backup("Backup Job State Change", "FAILED", `${arn}2`),
  ];
  const expected = [...failures.map(() => true), ...near.map(() => false)];
  assert.deepEqual(matchesOf(ruleOf("aws.backup"), [...failures, ...near]), expected);
});

test("each event pattern of the templates is tested", () => {
  assert.deepEqual(
    rules.map(({ source }) => source),
    [["aws.s3"], ["aws.backup"]],
  );
});
