import assert from "node:assert/strict";
import { afterAll, test } from "@jest/globals";
import { ChangesQuery } from "../../functions/changes/change.ts";
import { changeRepository } from "../../functions/changes/changeRepository.ts";
import { openTable } from "../../functions/table/table.ts";
import { startDynamoDbLocal } from "../../packages/local-aws/dynamodb/startDynamoDbLocal.ts";
import { runImport } from "../cli/support/runProgram.ts";
import { useTestTable } from "../support/data/testTable.ts";
import { feedWithKills, shuffled } from "../support/feed/feedWithKills.ts";
import { cases } from "../support/jest/cases.ts";
import { assertSameRows, marker, mirrorOf, putMarker } from "../support/sync/mirror.ts";
import { dataSetLines, realDataFile, rowOf, someOf } from "./dataSet.ts";
import { tableDigest } from "./storedItems.ts";

/*
 * Every twentieth event of the real data set, with its dates and ticket categories, through the feed: REAL_DATA_FILE=… .ci/run feed
 * With THOROUGH=1, all of it: the same guarantees at the volume of a first transfer.
 */

const organisationId = 1842;
/** Makes some 250 messages for each kill of the consumer, so that kills hit different ones and none is hit as often as the queue allows. */
const recordsOfMessage = cases(2, 20);
const kills = cases(10, 20);

const file = realDataFile();
// Shuffled, so that the deleted ones are of all types.
const lines = shuffled(someOf(await dataSetLines(file)));
const dynamoDb = await startDynamoDbLocal();
afterAll(() => dynamoDb.stop());
process.env.TEST_DYNAMODB_ENDPOINT = dynamoDb.endpoint;

/** A record's line with a version; `stale` has an older version and another name. */
const versioned = (line: string, version: number) => line.replace(/^\{/, `{"version":${version},`);
const stale = (line: string) => versioned(line, 1).replace(/"name":("(?:[^"\\]|\\.)*"|null)/, '"name":"Out of date"');

/** The deletion of a line's record, newer than any of its versions. */
function deletion(line: string): string {
  const { type, id } = rowOf(line);
  return JSON.stringify({ type, organisation_id: organisationId, id, deleted: true, version: 3 });
}

/** The pages of changes, as `GET /v1/changes` returns them. */
async function* pages(start: string | undefined) {
  let cursor = start;
  for (let hasMore = true; hasMore; ) {
    const query = ChangesQuery.parse({ per_page: "200", ...(cursor !== undefined && { cursor }) });
    const { data, pagination } = await changeRepository(organisationId, openTable()).list(query);
    cursor = pagination.resume_cursor;
    yield { changes: data, resumeCursor: cursor };
    hasMore = pagination.has_more;
  }
}

test("a shuffled feed with repeats, deletions and kills ends like a plain import, and so does a mirror", async () => {
  const count = Math.floor(lines.length / 20);
  const [deleted, kept] = [lines.slice(0, count), lines.slice(count)];
  const latest = [...kept.map((line) => versioned(line, 2)), ...deleted.map(deletion)];
  const plain = await useTestTable();
  const stdin = `${latest.join("\n")}\n`;
  const imported = await runImport(["-", "--endpoint", plain.endpoint, "--table", plain.tableName], { stdin });
  assert.equal(imported.code, 0, imported.stderr);
  console.log(`Imported: ${imported.stdout.trim()}`);

  const fed = await useTestTable();
  const tenth = () => shuffled(lines).slice(0, lines.length / 10);
  const outdated = [...deleted, ...tenth()].map((line) => versioned(line, 2));
  const sent = shuffled([...latest, ...outdated, ...tenth().map(stale)]);
  async function feed(): Promise<void> {
    const startMs = performance.now();
    const hit = await feedWithKills(sent, { recordsOfMessage, kills });
    const seconds = Math.round((performance.now() - startMs) / 1000);
    console.log(
      `Fed: ${sent.length} records in ${seconds} s; the consumer was killed ${kills} times, ${hit} batches with it.`,
    );
    const expected = await tableDigest(plain.endpoint, plain.tableName, organisationId);
    assert.equal(expected.count, lines.length);
    assert.deepEqual(await tableDigest(fed.endpoint, fed.tableName, organisationId), expected);
    await putMarker(organisationId, marker(0));
  }
  const mirror = mirrorOf(pages);
  const [changes] = await Promise.all([mirror.follow(marker(0), () => Math.random() < 0.1), feed()]);
  console.log(`The mirror read ${changes.length} changes.`);
  assertSameRows(mirror.rows.values(), kept.map(rowOf));
});
