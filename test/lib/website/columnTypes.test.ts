import assert from "node:assert/strict";
import { test } from "@jest/globals";
import { exampleOf } from "../../../functions/resources/fields.ts";
import { resources } from "../../../functions/resources/index.ts";
import type { Resource } from "../../../functions/resources/resource.ts";
import { columnTypes } from "../../../lib/website/columnTypes.ts";
import { demoRecords } from "../../../local/demo/demoRecords.ts";

/** The types that can have a value, by the beginnings of their names. */
function typesWith(value: unknown): string[] {
  if (Array.isArray(value)) return value.flatMap(typesWith).map((type) => `${type}[]`);
  if (typeof value === "string") return ["string"];
  if (typeof value === "boolean") return ["bool"];
  if (typeof value === "number") return Number.isInteger(value) ? ["int64", "double"] : ["double"];
  return [`struct(${Object.entries(Object(value)).map(([name, member]) => `${name} ${typesWith(member)[0]}`)})`];
}

for (const { type, schema } of Object.values<Resource>(resources)) {
  test(`every field of ${type} has the type of its values in the column types`, () => {
    const columns = columnTypes()[type] ?? {};
    const records = demoRecords().filter((record) => record.type === type);
    for (const row of [exampleOf(schema), ...records.map(({ data }) => data)]) {
      for (const [field, value] of Object.entries(row)) {
        const types = typesWith(value).map((one) => one.replaceAll(",", ", "));
        const isEmpty = value === null || types.length === 0 || JSON.stringify(value).includes(":null");
        assert.ok(isEmpty ? field in columns : types.includes(columns[field] ?? ""), `${field}: ${columns[field]}`);
      }
    }
  });
}

test("the columns of a ticket category have its event, which changes have beside the data", () => {
  assert.equal(columnTypes().ticket_category?.event_id, "int64");
});
