import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { describe, test } from "@jest/globals";
import * as z from "zod";
import { timeOption } from "../../../cli/shared/command.ts";
import { parseBody, parseQuery } from "../../../functions/api/parseRequest.ts";
import { listQuery } from "../../../functions/api/readQuery.ts";
import { ChangesQuery } from "../../../functions/changes/change.ts";
import { parseLine, parseRecord } from "../../../functions/feed/parseRecord.ts";
import type { Problem } from "../../../functions/problem.ts";
import { BalancePaymentInput } from "../../../functions/resources/balancePayment.ts";
import { dates } from "../../../functions/resources/eventDate.ts";
import { recordResources } from "../../../functions/resources/index.ts";
import { recordTypes } from "../../../functions/resources/record.ts";
import type { Resource } from "../../../functions/resources/resource.ts";
import { InstantInUtc, InstantParameter, instantMs, sortableInstant } from "../../../functions/values/instant.ts";
import { Replay } from "../../../functions/webhooks/webhook.ts";
import { acceptedInstants, refusedInstants } from "../../support/data/instants.ts";
import { anyRecord } from "../../support/data/records.ts";

/** Each returns the message of the refusal; undefined if the text is accepted. */
type Entrance = (text: string) => string | undefined;

function messageOf(parse: () => unknown): string | undefined {
  try {
    parse();
    return undefined;
  } catch (error) {
    return (error as Problem).members.errors?.map(({ detail }) => detail).join(" ");
  }
}

const inBody = (schema: z.ZodType, bodyWith: (text: string) => object): Entrance => {
  return (text) =>
    messageOf(() => parseBody(schema, { contentType: "application/json", text: JSON.stringify(bodyWith(text)) }));
};
const inQuery = (schema: z.ZodObject, name: string): Entrance => {
  return (text) => messageOf(() => parseQuery(schema, { [name]: [text] }));
};

/** Every field of a record with a time, as in a file and as in a message. */
const recordEntrances = recordTypes.flatMap((type) => {
  const { data, ...envelope } = anyRecord(type, 1, 1, "any text");
  const { shape }: Resource["schema"] = recordResources[type].schema;
  return Object.entries(shape)
    .filter(([, field]) => z.safeParse(field, "2027-08-06").success && !z.safeParse(field, "any text").success)
    .flatMap(([name]) => {
      const recordWith = (text: string) => ({ ...envelope, data: { ...data, [name]: text } });
      const problemOf = (parsed: ReturnType<typeof parseRecord>) =>
        "problem" in parsed ? parsed.problem.replace(`data.${name}: `, "") : undefined;
      const fromFile: Entrance = (text) => problemOf(parseLine({ number: 1, text: JSON.stringify(recordWith(text)) }));
      const fromQueue: Entrance = (text) => problemOf(parseRecord(recordWith(text)));
      return [
        [`${type} ${name}, file`, fromFile],
        [`${type} ${name}, queue`, fromQueue],
      ] as const;
    });
});

/** Entrances that also have bounds, which the texts may be outside of. */
const bounded = /^Must (be in the future|be within 5 years)\.$/;
const entrances = new Map<string, Entrance>([
  ...recordEntrances,
  ["payment's date", inBody(BalancePaymentInput, (date) => ({ type: "payment", amount: 1, date }))],
  ["replay", inBody(Replay, (from) => ({ from }))],
  ["from", inQuery(listQuery(dates, "all", []), "from")],
  ["to", inQuery(listQuery(dates, "all", []), "to")],
  ["table restore --to", (text) => timeOption("--to").safeParse(text).error?.issues[0]?.message.replace("--to: ", "")],
  ["changed_since", inQuery(ChangesQuery, "changed_since")],
]);

test("all 18 times of records are tried", () => {
  assert.equal(recordEntrances.length, 2 * 18);
});

describe("every entrance", () => {
  for (const [name, entrance] of entrances) {
    test(`accepts the same texts: ${name}`, () => {
      for (const text of Object.keys(acceptedInstants)) {
        const message = entrance(text);
        assert.ok(message === undefined || bounded.test(message), `${text}: ${message}`);
      }
    });

    test(`refuses the same texts, with a true message: ${name}`, () => {
      for (const [text, expected] of Object.entries(refusedInstants))
        assert.match(entrance(text) ?? "accepted", expected, text);
    });
  }
});

test("a time without an offset is in UTC on a machine of any time zone", () => {
  const script = `import { instantMs } from "${import.meta.resolve("../../../functions/values/instant.ts")}";
    console.log(["2026-07-01T12:00", "2026-07-01"].map((text) => new Date(instantMs(text)).toISOString()).join());`;
  const env = { ...process.env, TZ: "Pacific/Chatham" };
  const { stdout } = spawnSync(process.execPath, ["--input-type=module", "-e", script], { env, encoding: "utf8" });
  assert.equal(stdout, "2026-07-01T12:00:00.000Z,2026-07-01T00:00:00.000Z\n");
});

test("a text is the instant that it means: without an offset in UTC, and a date alone at midnight", () => {
  for (const [text, utc] of Object.entries(acceptedInstants)) {
    assert.equal(sortableInstant(text), utc, text);
  }
  for (const text of Object.keys(refusedInstants)) {
    assert.equal(sortableInstant(text), "", text);
    assert.ok(Number.isNaN(instantMs(text)), text);
  }
});

test("an instant between two milliseconds is compared with this service's times as the later one", () => {
  for (const [text, utc] of Object.entries({
    "2027-08-06T19:30:00.123": "2027-08-06T19:30:00.123Z",
    "2027-08-06T19:30:00.123000000": "2027-08-06T19:30:00.123Z",
    "2027-08-06T19:30:00.123000001": "2027-08-06T19:30:00.124Z",
    "1842-12-07T20:00:00.9999-04:56": "1842-12-08T00:56:01.000Z",
    "9999-12-31T23:59:59.9999": "9999-12-31T23:59:59.999Z",
  }))
    assert.equal(InstantInUtc.parse(text), utc, text);
});

test("a space in a query is explained as an unencoded + only where a + makes an instant", () => {
  const messageOf = (text: string) => InstantParameter.safeParse(text).error?.issues[0]?.message;
  for (const offset of ["01:00", "0100", "01"])
    assert.equal(messageOf(`2026-03-01T00:00:00 ${offset}`), "Encode + as %2B.");
  for (const text of ["2026-03-01 00:00:00", "2026-03-01T00:00 25:00", "next week", "2026-03-01T00:00:00 Z"])
    assert.notEqual(messageOf(text), "Encode + as %2B.", text);
});
