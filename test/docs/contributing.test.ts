import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "@jest/globals";
import { repositoryOf } from "../../functions/records/resourceRepository.ts";
import { Record as InputRecord } from "../../functions/resources/record.ts";
import { ticketCategories } from "../../functions/resources/ticketCategory.ts";
import { openTable } from "../../functions/table/table.ts";
import { eventRecord } from "../support/data/records.ts";
import { dumpItems, putRecords } from "../support/data/table.ts";
import { useTestTable } from "../support/data/testTable.ts";

test("a record becomes the item and the row that CONTRIBUTING.md shows", async () => {
  const [, trace = ""] = readFileSync("CONTRIBUTING.md", "utf8").split("## A record, from line to response");
  const [record, item, row] = [...trace.matchAll(/^```json\n(.*?)^```$/gms)].map(([, json = ""]) => JSON.parse(json));
  await useTestTable();
  await putRecords([eventRecord(1, 1), InputRecord.parse(record)]);
  const stored = (await dumpItems()).find(({ PK }) => PK === item.PK);
  const withoutTime = ({ GSI3SK, ...others }: Record<string, unknown>) => ({
    ...others,
    position: String(GSI3SK).replace(/^[^#]*#/, ""),
  });
  assert.deepEqual(withoutTime(stored ?? {}), withoutTime(item));
  const page = await repositoryOf(ticketCategories)(1, openTable()).ofEvent(1, { per_page: 2, cursor: undefined });
  assert.deepEqual(page.data, [row]);
});
