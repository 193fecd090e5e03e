import assert from "node:assert/strict";
import { beforeEach, test } from "@jest/globals";
import { exportOrganisation } from "../../../cli/organisation/exportOrganisation.ts";
import { endpoints } from "../../../functions/endpoints/index.ts";
import { exampleOf } from "../../../functions/resources/fields.ts";
import { type RecordType, recordTypes } from "../../../functions/resources/record.ts";
import { resourceTypes } from "../../../functions/resources/resource.ts";
import { itemKeys } from "../../../functions/table/itemKeys.ts";
import { getItem } from "../../../functions/table/reads.ts";
import { openTable } from "../../../functions/table/table.ts";
import { anyRecord } from "../../support/data/records.ts";
import { putRecords } from "../../support/data/table.ts";
import { useTestTable } from "../../support/data/testTable.ts";
import { invoke } from "../../support/http/invoke.ts";

beforeEach(() => useTestTable());

async function bodyOf(endpoint: (typeof endpoints)[number]): Promise<Record<string, unknown>> {
  const { statusCode, body } = await invoke(endpoint);
  assert.equal(statusCode, 200, body);
  return JSON.parse(body);
}

async function exportedAdditions(): Promise<string> {
  const additions: string[] = [];
  const files = {
    records: { write: async () => undefined },
    additions: { write: async (lines: string) => void additions.push(lines) },
  };
  const pause = { pause: async () => undefined, signal: new AbortController().signal };
  await exportOrganisation(openTable(), 1, files, { counts: {}, failures: [] }, pause);
  return additions.join("");
}

const pathOf = (type: RecordType) => `/v1/${resourceTypes[type].name.replaceAll(" ", "-")}s/{id}`;

for (const endpoint of endpoints.filter(({ method, path }) => method === "PATCH" && path.startsWith("/v1/"))) {
  const { operationId, path } = endpoint;

  test(`what ${operationId} sets is a change, is returned after a later record, and is in an export`, async () => {
    const type = recordTypes.find((one) => pathOf(one) === path) ?? assert.fail(`${path} is not a record's path.`);
    const reader = endpoints.find((one) => one.method === "GET" && one.path === path) ?? assert.fail(`No GET ${path}.`);
    const position = async () => String((await getItem(openTable(), itemKeys[type](1, 1)))?.GSI3SK);
    await putRecords([anyRecord(type, 1, 1, "a text")]);
    const before = await position();
    await bodyOf(endpoint);
    assert.ok((await position()) > before, `${operationId} must write with records/acceptChange.ts.`);
    await putRecords([anyRecord(type, 1, 1, "another text")]);
    const [shown, additions] = [await bodyOf(reader), await exportedAdditions()];
    for (const [field, value] of Object.entries(Object(endpoint.body && exampleOf(endpoint.body)))) {
      const lost = `A later ${type} record replaces ${field}: declare \`stored\`, as functions/resources/order.ts does.`;
      assert.deepEqual(shown[field], value, lost);
      assert.ok(
        additions.includes(JSON.stringify(value)),
        `cli/organisation/exportOrganisation.ts does not export ${field}.`,
      );
    }
  });
}
