import assert from "node:assert/strict";
import { describe, test } from "@jest/globals";
import * as z from "zod";
import { Event } from "../../../functions/resources/event.ts";
import { exampleOf } from "../../../functions/resources/fields.ts";
import { resources } from "../../../functions/resources/index.ts";
import { Record as InputRecord } from "../../../functions/resources/record.ts";
import {
  added,
  type Resource,
  recordForm,
  storedForm,
  withoutAddedNulls,
} from "../../../functions/resources/resource.ts";
import { attendeeRecord, categoryRecord, dateRecord, eventRecord } from "../../support/data/records.ts";

const shape = {
  id: z.int(),
  name: z.string().nullable(),
  venue_name: added(z.string().nullable().meta({ description: "Name of the venue." })),
  answers: z.array(z.object({ question: z.string(), answer: z.string().nullable() })),
};

describe("a stored item", () => {
  const form = storedForm(z.object(shape));

  test("has null for each nullable field that it lacks, also within lists", () => {
    const { data } = form.safeParse({ id: 1, answers: [{ question: "Why?" }], PK: "x" });
    assert.equal(
      JSON.stringify(data),
      '{"id":1,"name":null,"venue_name":null,"answers":[{"question":"Why?","answer":null}]}',
    );
    const whole = { id: 1, name: "a", venue_name: "b", answers: [{ question: "Why?", answer: "So." }] };
    assert.equal(JSON.stringify(form.parse(whole)), JSON.stringify(whole));
  });

  test("is read with any texts and numbers, because formats are checked when it is stored", () => {
    const strict = z.object({
      status: z.enum(["paid"]),
      time: z.iso.datetime().nullable(),
      code: z.string().regex(/^[A-Z]{3}$/),
      percent: z.number().min(0).max(100),
      ids: z.array(z.int().positive()),
    });
    const old = { status: "part-paid", time: "5 o'clock", code: "", percent: 101.5, ids: [0, -1] };
    assert.deepEqual(storedForm(strict).parse(old), old);
    for (const damaged of [{ status: 1 }, { time: 1 }, { code: null }, { percent: "1" }, { ids: ["1"] }, { ids: null }])
      assert.ok(!storedForm(strict).safeParse({ ...old, ...damaged }).success, JSON.stringify(damaged));
  });

  test("is invalid with a fraction in any integer field of any resource, and a discount's percent may have one", () => {
    for (const { type, schema } of Object.values<Resource>(resources)) {
      const item = exampleOf<z.ZodObject>(schema);
      for (const [name, value] of Object.entries(item)) {
        if (typeof value !== "number") continue;
        const { success } = storedForm(schema).safeParse({ ...item, [name]: value + 0.205 });
        assert.equal(success, name === "percent", `${type}.${name}`);
      }
    }
  });

  test("is invalid without any other field", () => {
    for (const item of [{ answers: [] }, { id: 1 }, { id: 1, answers: [{}] }, { id: 1, answers: [], name: 7 }])
      assert.ok(!form.safeParse(item).success, JSON.stringify(item));
  });
});

describe("a record", () => {
  const form = recordForm(z.object(shape));
  const old = { id: 1, name: null, answers: [] };

  test("may lack added fields, and no others", () => {
    assert.equal(form.parse(old).venue_name, null);
    assert.ok(form.safeParse({ ...old, venue_name: "Hall" }).success);
    for (const { id, name, ...record } of [{ ...old, venue_name: null }])
      for (const lacking of [
        { ...record, id },
        { ...record, name },
      ])
        assert.ok(!form.safeParse(lacking).success);
  });

  test("has the same content whether it lacks an added field or has null, and keeps other nulls", () => {
    assert.deepEqual(withoutAddedNulls(shape, { ...old, venue_name: null }), old);
    assert.deepEqual(withoutAddedNulls(shape, { ...old, venue_name: "Hall" }), { ...old, venue_name: "Hall" });
    assert.deepEqual(withoutAddedNulls(shape, form.parse(old)), old);
  });
});

const records = [eventRecord(1, 2), dateRecord(1, 2, 3), categoryRecord(1, 2, 3)];

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

test("a specified field is required, and null only where the specification allows it; others are nullable", () => {
  const never = new Set("id tag organisation_id event_id date time_type price people sort_index hidden".split(" "));
  const nullable = new Set(
    `type description date_created time_zone_id venue_id tour_id currency_symbol unlisted private ticketing_enabled
     buying_enabled end_date name sold_out suspend limit minimum_per_order`.split(/\s+/),
  );
  for (const record of records) {
    for (const field of Object.keys(record.data)) {
      const { [field]: _, ...without } = record.data as Record<string, unknown>;
      const isLater = !never.has(field) && !nullable.has(field);
      const wrongWithout = isLater ? [] : [`data.${field}`];
      assert.deepEqual(wrongFields({ ...record, data: without }), wrongWithout, `${record.type} without ${field}`);
      const isNullable = !never.has(field) && !(record.type === "event" && field === "name");
      const wrong = wrongFields({ ...record, data: { ...record.data, [field]: null } });
      assert.deepEqual(wrong, isNullable ? [] : [`data.${field}`], `${record.type} with ${field} null`);
    }
  }
});

test("a currency is three capital letters, independent of the codes that the runtime knows", () => {
  const withCurrency = (currency: unknown) => ({ ...eventRecord(1, 2), data: { ...eventRecord(1, 2).data, currency } });
  for (const currency of ["USD", "JPY", "XCG", "VED", "USN", "DEM", "QQQ", null])
    assert.deepEqual(wrongFields(withCurrency(currency)), []);
  for (const currency of ["usd", "US", "USDT", "ÅÄÖ", "$", "", "USD ", 840, {}])
    assert.deepEqual(wrongFields(withCurrency(currency)), ["data.currency"], String(currency));
});

test("unknown fields are refused, in the record and in its data", () => {
  for (const record of records) {
    assert.deepEqual(wrongFields({ ...record, more: 1 }), [""]);
    assert.deepEqual(wrongFields({ ...record, data: { ...record.data, more: 1 } }), ["data"]);
  }
  const answers = [{ question_id: 1, question: "?", answer: null, more: 1 }];
  assert.deepEqual(wrongFields(attendeeRecord(1, 1, { answers })), ["data.answers.0"]);
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

test("only a ticket category names its event beside its data", () => {
  const [event, date, category] = records;
  assert.deepEqual(wrongFields({ ...category, event_id: undefined }), ["event_id"]);
  assert.deepEqual(wrongFields({ ...event, event_id: 1 }), [""]);
  assert.deepEqual(wrongFields({ ...date, event_id: 1 }), [""]);
});

test("an event's fields are in the specification's order, and then this service's", () => {
  const specification =
    `id tag name organisation_id type description date_created time_zone_id venue_id tour_id currency_symbol unlisted private
    ticketing_enabled buying_enabled`.split(/\s+/);
  assert.deepEqual(Object.keys(Event.shape).slice(0, specification.length), specification);
});
