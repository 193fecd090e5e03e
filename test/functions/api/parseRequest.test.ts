import assert from "node:assert/strict";
import { describe, test } from "@jest/globals";
import type * as z from "zod";
import { parseBody, parseQuery, type SentBody } from "../../../functions/api/parseRequest.ts";
import { problemBody } from "../../../functions/api/problemResponse.ts";
import { listQuery } from "../../../functions/api/readQuery.ts";
import { ChangesQuery } from "../../../functions/changes/change.ts";
import { ApiKeyInput } from "../../../functions/keys/apiKey.ts";
import type { Problem } from "../../../functions/problem.ts";
import { BalancePaymentInput } from "../../../functions/resources/balancePayment.ts";
import { orders } from "../../../functions/resources/order.ts";
import { tickets } from "../../../functions/resources/ticket.ts";

const OrdersQuery = listQuery(orders, "all", Object.keys(orders.expand ?? {}));
const TicketsQuery = listQuery(tickets, "byBarcode", Object.keys(tickets.expand ?? {}));

import { OrderUpdate } from "../../../functions/resources/order.ts";
import { PageQuery } from "../../../functions/resources/page.ts";
import { Scope } from "../../../functions/resources/scope.ts";
import { WebhookUpdate } from "../../../functions/webhooks/webhook.ts";

test("declared parameters are parsed and have their defaults", () => {
  assert.deepEqual(parseQuery(PageQuery, {}), { per_page: 50 });
  assert.deepEqual(parseQuery(PageQuery, { per_page: ["1000"], cursor: ["x"] }), { per_page: 1_000, cursor: "x" });
});

test("a list of values may be separated by commas or repeat the parameter's name", () => {
  for (const types of [["order,ticket"], ["ticket", "order"]]) {
    assert.deepEqual(parseQuery(ChangesQuery, { types }).types, ["order", "ticket"]);
  }
  assert.throws(() => parseQuery(ChangesQuery, { types: ["order", "order"] }), { code: "invalid_request" });
});

test("a query that is not UTF-8, or has U+0000, is refused by the parameter's name", () => {
  const errorsOf = (query: string) => {
    const values = Object.fromEntries([...new URLSearchParams(query)].map(([name, value]) => [name, [value]]));
    try {
      return parseQuery(OrdersQuery, values);
    } catch (error) {
      return (error as Problem).members.errors;
    }
  };
  const notUtf8 = "Must be percent-encoded UTF-8, without U+FFFD.";
  for (const bytes of ["j%FCrgen%40x.example", "%ff", "%C3", "%ED%A0%80", "%F0%9F%8E", "%EF%BF%BD"])
    for (const parameter of ["email", "reference", "cursor", "per_page"])
      assert.deepEqual(errorsOf(`${parameter}=${bytes}`), [{ parameter, detail: notUtf8 }], `${parameter}=${bytes}`);
  assert.deepEqual(errorsOf("email=a%00"), [{ parameter: "email", detail: "Must not contain the character U+0000." }]);
  for (const blank of ["", "%20", "%E2%80%8B", "%EF%BB%BF%C2%AD"])
    assert.deepEqual(errorsOf(`email=${blank}`), [{ parameter: "email", detail: "Must not be blank." }]);
  assert.equal(Object(errorsOf("email=j%C3%BCrgen%40x.example")).email, "jürgen@x.example");
});

test("parameters that must not be combined are reported beside other invalid ones", () => {
  const query = { reference: ["A"], email: ["a@b"], expand: ["x"] };
  assert.throws(
    () => parseQuery(OrdersQuery, query),
    ({ members: { errors = [] } }: Problem) => {
      const names = errors.map((error) => "parameter" in error && error.parameter);
      assert.deepEqual(names.sort(), ["email", "expand"]);
      return true;
    },
  );
});

test("each error says what the value must be", () => {
  const detailsOf = (parse: () => unknown) => {
    try {
      return parse();
    } catch (error) {
      return (error as Problem).members.errors?.map(({ detail }) => detail).join(" ");
    }
  };
  const detailsOfBody = (body: z.ZodObject, text: string) =>
    detailsOf(() => parseBody(body, { contentType: "application/json", text }));
  const detailsOfQuery = (values: Record<string, string[]>) => detailsOf(() => parseQuery(TicketsQuery, values));
  for (const [details, expected] of [
    [detailsOfBody(OrderUpdate, ""), "The body is missing."],
    [detailsOfBody(OrderUpdate, "{"), "The body is not valid JSON."],
    [detailsOfBody(OrderUpdate, "[]"), "Must be a JSON object."],
    [detailsOfBody(OrderUpdate, "{}"), "Is required."],
    [detailsOfBody(WebhookUpdate, "{}"), "Must have at least one member."],
    [detailsOfBody(OrderUpdate, '{"admin_note":7}'), "Must be a string or null."],
    [detailsOfBody(ApiKeyInput, '{"name":null,"scopes":["all"]}'), `Must be a string. ${unknownScope}`],
    [detailsOfBody(BalancePaymentInput, '{"type":"payment","amount":1.5}'), "Must be an integer, in pence."],
    [detailsOfQuery({}), "Is required."],
    [
      detailsOfQuery({ barcode: ["1", "2"], color: ["red"] }),
      "May be given only once. Unknown parameter. Known: per_page, cursor, barcode, expand.",
    ],
    [detailsOfQuery({ barcode: ["1"], per_page: ["all"] }), "Must be an integer from 1 to 1000."],
    [
      detailsOfQuery({ barcode: ["1"], expand: ["venue"] }),
      "Must be comma-separated names out of order, event, date, ticket_category, attendee.",
    ],
    [detailsOfQuery({ barcode: ["1"], expand: ["date,order", "date"] }), "Must have each name only once."],
  ]) {
    assert.equal(details, expected);
  }
});

const unknownScope = Scope.safeParse("all").error?.issues[0]?.message;

test("the length of a text is its number of Unicode characters", () => {
  const noteOf = (character: string, length: number) =>
    parseBody(OrderUpdate, {
      contentType: "application/json",
      text: JSON.stringify({ admin_note: character.repeat(length) }),
    });
  for (const character of ["x", "é", "🎟"]) {
    assert.ok(noteOf(character, 5_000));
    assert.throws(() => noteOf(character, 5_001), { code: "invalid_request" });
  }
});

const contentType = "application/json";
const text = '{"admin_note":"é"}';
const problemOf = (sent: Partial<SentBody>) => {
  try {
    parseBody(OrderUpdate, { contentType, text, ...sent });
  } catch (error) {
    const { code, message, members } = error as Problem;
    return { code, message, ...members };
  }
  return undefined;
};

describe("a body", () => {
  test("is missing if the event has none, null or an empty one", () => {
    for (const none of [undefined, null, ""]) assert.equal(problemOf({ text: none })?.message, "The body is missing.");
  });

  test("may name UTF-8 in any form as its charset, and may have no encoding", () => {
    for (const charset of ["utf-8", "UTF-8", '"utf-8"', "utf8"])
      assert.equal(problemOf({ contentType: `application/json; charset=${charset}` }), undefined);
    for (const contentEncoding of ["identity", "", undefined]) assert.equal(problemOf({ contentEncoding }), undefined);
  });

  test("with invalid UTF-8, which arrives as U+FFFD, is refused, and the escape of that character is not", () => {
    const decoded = Buffer.from([...Buffer.from('{"admin_note":"'), 0xe9, ...Buffer.from('"}')]).toString();
    assert.match(String(problemOf({ text: decoded })?.message), /^The body is invalid|UTF-8/);
    assert.equal(problemOf({ text: decoded })?.code, "invalid_request");
    assert.equal(problemOf({ text: '{"admin_note":"\\ufffd"}' }), undefined);
  });

  test("may begin with a byte order mark", () => {
    assert.equal(problemOf({ text: `\ufeff${text}` }), undefined);
    assert.equal(problemOf({ text: `\ufeff\ufeff${text}` })?.message, "The body is not valid JSON.");
    assert.equal(problemOf({ text: '{"admin_note":"\ufeff"}' }), undefined);
  });

  test("of more than 128 KB is refused before it is parsed", () => {
    const padded = (bytes: number) => `{"admin_note":null}${" ".repeat(bytes - 19)}`;
    assert.equal(problemOf({ text: padded(128 * 1024) }), undefined);
    assert.equal(problemOf({ text: padded(128 * 1024 + 1) })?.code, "payload_too_large");
    assert.equal(problemOf({ text: `{"admin_note":"${"é".repeat(64 * 1024)}"}` })?.code, "payload_too_large");
  });

  test("with many faults lists the first 20 and counts the others", () => {
    const many = Object.fromEntries(Array.from({ length: 5_000 }, (_, index) => [`m${index}`, 1]));
    const { errors = [], more_errors } = problemOf({ text: JSON.stringify({ ...many, admin_note: 7 }) }) ?? {};
    assert.equal(errors.length, 20);
    assert.equal(errors.length + Number(more_errors), 5_001);
    const body = problemBody("invalid_request", "Invalid.", "r1", { errors, more_errors });
    assert.deepEqual({ ...body, errors: errors.length }, { ...body, errors: 20, more_errors: 4_981 });
  });
});

test("a body with what parsing would change or lose, or PostgreSQL cannot store, is refused by its pointer", () => {
  const errorsOf = (json: string) => problemOf({ text: json })?.errors;
  const repeated = { pointer: "/admin_note", detail: "May be given only once." };
  for (const json of ['{"admin_note":"a","admin_note":"a"}', '{"admin_note":"a","admin\\u005fnote":"b"}'])
    assert.deepEqual(errorsOf(json), [repeated]);
  assert.deepEqual(errorsOf('{"x":{"a/b":1,"a/b":1}}'), [{ ...repeated, pointer: "/x/a~1b" }]);
  assert.match(JSON.stringify(errorsOf('{"admin_note":["\\ud83c"]}')), /"\/admin_note\/0".*lone surrogates/);
  assert.match(JSON.stringify(errorsOf('{"admin_note":"\\u0000"}')), /"\/admin_note".*U\+0000/);
  const amount = '{"type":"payment","amount":9007199254740991.4}';
  const detail = "Must have fewer digits: as an IEEE 754 number, it would be rounded.";
  const members = { errors: [{ pointer: "/amount", detail }] };
  assert.throws(() => parseBody(BalancePaymentInput, { contentType, text: amount }), { members });
  assert.equal(problemOf({ text: String.raw`{"admin_note":"\\u0000 \"admin_note\":"}` }), undefined);
});
