import assert from "node:assert/strict";
import { test } from "@jest/globals";
import { Record as InputRecord } from "../../../functions/resources/record.ts";
import { categoryRecord, dateRecord, eventRecord } from "../../support/data/records.ts";

const records = [eventRecord(1, 2), dateRecord(1, 2, 3), categoryRecord(1, 2, 3)];

/** The fields for which a record is refused. */
function wrongFields(value: unknown): string[] {
  return InputRecord.safeParse(value).error?.issues.map(({ path }) => path.join(".")) ?? [];
}

test("every type of record is accepted unchanged, with and without a version", () => {
  for (const record of records) {
    for (const versioned of [record, { ...record, version: 0 }, { ...record, version: Number.MAX_SAFE_INTEGER }]) {
      assert.deepEqual(InputRecord.parse(versioned), versioned);
    }
  }
});

test("every field is required, and null is allowed for exactly the fields that the specification allows", () => {
  const nullable = new Set(
    `type description date_created time_zone_id venue_id tour_id currency_symbol unlisted private ticketing_enabled
     buying_enabled end_date name sold_out suspend limit minimum_per_order`.split(/\s+/),
  );
  for (const record of records) {
    for (const field of Object.keys(record.data)) {
      const { [field]: _, ...without } = record.data as Record<string, unknown>;
      assert.deepEqual(wrongFields({ ...record, data: without }), [`data.${field}`], `${record.type} without ${field}`);
      const isNullable = nullable.has(field) && !(record.type === "event" && field === "name");
      const wrong = wrongFields({ ...record, data: { ...record.data, [field]: null } });
      assert.deepEqual(wrong, isNullable ? [] : [`data.${field}`], `${record.type} with ${field} null`);
    }
  }
});

test("unknown fields are refused, in the record and in its data", () => {
  for (const record of records) {
    assert.deepEqual(wrongFields({ ...record, more: 1 }), [""]);
    assert.deepEqual(wrongFields({ ...record, data: { ...record.data, more: 1 } }), ["data"]);
  }
});

test("a record needs a known type, a valid organisation and, if any, a valid version", () => {
  for (const record of records) {
    assert.deepEqual(wrongFields({ ...record, type: "concert" }), ["type"]);
    for (const version of [-1, 1.5, "1", null]) assert.deepEqual(wrongFields({ ...record, version }), ["version"]);
    for (const organisation_id of [0, -1, "1", 2 ** 53, undefined]) {
      assert.equal(wrongFields({ ...record, organisation_id })[0], "organisation_id");
    }
  }
  for (const value of [null, 1, "record", [], {}]) assert.equal(wrongFields(value).length, 1);
});

test("an event's organisation must equal its record's", () => {
  assert.deepEqual(wrongFields(eventRecord(1, 2, { organisation_id: 3 })), ["data.organisation_id"]);
});

test("only a ticket category names its event beside its data", () => {
  const [event, date, category] = records;
  assert.deepEqual(wrongFields({ ...category, event_id: undefined }), ["event_id"]);
  assert.deepEqual(wrongFields({ ...event, event_id: 1 }), [""]);
  assert.deepEqual(wrongFields({ ...date, event_id: 1 }), [""]);
});
