import assert from "node:assert/strict";
import { describe, test } from "@jest/globals";
import { Validator } from "@seriousme/openapi-schema-validator";
import * as z from "zod";
import { apiKeyHolder } from "../../../../functions/api/callers.ts";
import { endpoint } from "../../../../functions/api/endpoint.ts";
import { openApiDocument } from "../../../../functions/api/openapi/document.ts";
import type { JsonSchema } from "../../../../functions/api/openapi/schemas.ts";
import { withSharedParts } from "../../../../functions/api/openapi/sharedParts.ts";
import { singleSchema } from "../../../../functions/api/resourceEndpoints.ts";
import { Activity } from "../../../../functions/audit/activityRepository.ts";
import { CallingKey, getKey } from "../../../../functions/endpoints/getKey.ts";
import { endpoints } from "../../../../functions/endpoints/index.ts";
import { ApiKey, CreatedApiKey } from "../../../../functions/keys/apiKey.ts";
import { Attendee } from "../../../../functions/resources/attendee.ts";
import { BalancePayment } from "../../../../functions/resources/balancePayment.ts";
import { Discount } from "../../../../functions/resources/discount.ts";
import { Event } from "../../../../functions/resources/event.ts";
import { EventDate } from "../../../../functions/resources/eventDate.ts";
import { resources } from "../../../../functions/resources/index.ts";
import { Order, orders } from "../../../../functions/resources/order.ts";
import { Payment } from "../../../../functions/resources/payment.ts";
import { Ticket } from "../../../../functions/resources/ticket.ts";
import { TicketCategory } from "../../../../functions/resources/ticketCategory.ts";
import { Summary } from "../../../../functions/summaries/summary.ts";
import { openApiFiles } from "../../../../lib/website/openApi.ts";

const version = "1.2.3";
const document = openApiDocument(endpoints, { version });

test("the OpenAPI document rejects an operation whose example is missing or invalid, by its name and the field", () => {
  const of = (response: z.ZodType) => [endpoint({ ...getKey, caller: apiKeyHolder("read"), response }, () => ({}))];
  const missing = { message: "The example of the response of getKey (a schema) is missing." };
  for (const response of [z.object({}), z.object({}).meta({ examples: [] })])
    assert.throws(() => openApiDocument(of(response), { version }), missing);
  const Tour = z.object({ name: z.string() }).meta({ id: "Tour", examples: [{}] });
  assert.throws(() => openApiDocument(of(Tour), { version }), {
    message:
      "The example of the response of getKey (Tour) is invalid. name: Invalid input: expected string, received undefined.",
  });
});

type Parameter = NonNullable<(typeof document)["paths"][string][string]>["parameters"][number];

function parametersOf(operationId: string): Parameter[] {
  const operations = Object.values(document.paths).flatMap((item) => Object.values(item));
  return operations.find((operation) => operation.operationId === operationId)?.parameters ?? [];
}

test("for generators, the OpenAPI document has valid examples of parameters; in a path, the parent in the rows' examples", () => {
  for (const { operationId, params, query, headers } of endpoints) {
    for (const { name, in: location, example } of parametersOf(operationId)) {
      if (example === undefined) continue;
      const field = { path: params, query, header: headers }[location]?.shape[name.toLowerCase()];
      const sent = Array.isArray(example) ? example.join(",") : location === "header" ? example : String(example);
      if (field) assert.ok(z.safeParse(field, sent).success, `${operationId}: ${name} ${example}`);
    }
  }
  const idOf = (operationId: string) => parametersOf(operationId)[0]?.example;
  assert.deepEqual(["listOrderTickets", "getTicket", "getWebhook"].map(idOf), [90211, 733105, "0mi7c1q2k5f0c2a9d1e4b"]);
});

test("only parameters that a working first request must omit have no example", () => {
  const without = endpoints.flatMap(({ operationId }) =>
    parametersOf(operationId).flatMap(({ name, example }) => (example === undefined ? [`${operationId} ${name}`] : [])),
  );
  // A start that would be too old after 30 days, the second of two look-ups that exclude each other, and a tag that no order has.
  assert.deepEqual(
    without.filter((name) => !name.endsWith(" cursor")),
    ["listChanges changed_since", "listOrders email", "updateOrder If-Match"],
  );
  const lists = endpoints.filter(({ query }) => query !== undefined && "cursor" in query.shape);
  assert.equal(without.filter((name) => name.endsWith(" cursor")).length, lists.length);
});

test("every header of a response has an example of its type, and a retry waits at least a second", () => {
  for (const [name, header] of Object.entries(JSON.parse(text).components.headers)) {
    const { schema, example } = Object(header);
    assert.equal(typeof example, schema.type === "integer" ? "number" : "string", name);
    assert.equal(schema.minimum, name === "Retry-After" ? 1 : undefined, name);
  }
});

test("in what API keys read, exactly the times that this service sets are date-time", () => {
  const ofKeys = endpoints.filter(({ path }) => path.startsWith("/v1/"));
  const { schemas } = openApiDocument(ofKeys, { version }).components;
  const marked = Object.entries(schemas).flatMap(([id, { properties = {} }]) =>
    Object.keys(properties).flatMap((name) => (Object(properties[name]).format === "date-time" ? `${id}.${name}` : [])),
  );
  assert.deepEqual(
    marked.filter((field) => !/Input\.|Change\.changed_at$|Message\.|^WebhookChange/.test(field)),
    ["BalancePayment.date_created", "Summary.date_generated"],
  );
});

test("no pattern of a header admits a character that a header cannot carry", () => {
  const parameters = endpoints.flatMap(({ operationId }) => parametersOf(operationId));
  const patterns = parameters.flatMap(({ in: location, schema: { pattern }, example }) =>
    location === "header" && pattern !== undefined ? [{ pattern: new RegExp(pattern), example: String(example) }] : [],
  );
  assert.ok(patterns.length > 0);
  const refused = Array.from({ length: 0x10000 }, (_, code) => code).filter(
    (code) => code !== 9 && (code < 0x20 || code === 0x7f || code > 0xff),
  );
  for (const { pattern, example } of new Map(patterns.map((one) => [one.pattern.source, one])).values())
    for (const text of [example, "*", `W/${example}, ${example}`].filter((one) => pattern.test(one)))
      for (let at = 0; at <= text.length; at++)
        for (const code of refused) {
          const sent = text.slice(0, at) + String.fromCharCode(code) + text.slice(at);
          if (pattern.test(sent)) assert.fail(`${pattern} admits ${JSON.stringify(sent)}`);
        }
});

test("no input is date-time, because every time in a request may also be a date or lack an offset", () => {
  for (const operation of Object.values(document.paths).flatMap((item) => Object.values(item))) {
    const inputs = JSON.stringify([operation.parameters, operation.requestBody]);
    const names = [...inputs.matchAll(/"#\/components\/schemas\/(\w+)"/g)].map(([, name = ""]) => name);
    const bodies = JSON.stringify(names.map((name) => document.components.schemas[name]));
    assert.ok(!`${inputs}${bodies}`.includes('"date-time"'), operation.operationId);
  }
});

const text = JSON.stringify(withSharedParts(document));

describe("the served document", () => {
  test("says the same in at most 250 KB", () => {
    assert.ok(text.length <= 250_000, `${text.length}`);
    const { components, ...served } = JSON.parse(text);
    const whole = (value: unknown): unknown => {
      if (typeof value !== "object" || value === null) return value;
      if (Array.isArray(value)) return value.map(whole);
      const [, kind, name] =
        /^#\/components\/(headers|parameters|responses)\/(.+)$/.exec(String(Object(value).$ref)) ?? [];
      if (kind !== undefined && name !== undefined) return whole(components[kind][name]);
      return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, whole(member)]));
    };
    const { components: _, ...full } = document;
    assert.deepEqual(whole(served), JSON.parse(JSON.stringify(full)));
    const { schemas, securitySchemes } = document.components;
    const messages = Object.keys(schemas).filter((id) => !(id in components.schemas));
    assert.deepEqual(messages.sort(), [
      "ChangesMessage",
      "ChangesMessageData",
      "MessageData",
      "RestartMessage",
      "TestMessage",
      "WebhookChange",
    ]);
    for (const [id, schema] of Object.entries(components.schemas))
      assert.deepEqual(schema, JSON.parse(JSON.stringify(schemas[id])));
    assert.deepEqual(components.securitySchemes, securitySchemes);
  });

  test("has exactly the components that it refers to", () => {
    const references = [...text.matchAll(/"\$ref":"([^"]*)"/g)].map(([, reference]) => reference);
    const { securitySchemes: _, ...referred } = JSON.parse(text).components;
    const components = Object.entries<object>(referred).flatMap(([kind, parts]) =>
      Object.keys(parts).map((name) => `#/components/${kind}/${name}`),
    );
    assert.deepEqual([...new Set(references)].sort(), components.sort());
  });

  test("contains the messages of webhooks inline", () => {
    const { webhooks } = JSON.parse(text);
    assert.deepEqual(Object.keys(webhooks), ["changes", "restart", "test"]);
    const { schema } = webhooks.changes.post.requestBody.content["application/json"];
    assert.deepEqual(schema.properties.data.properties.changes.items.properties.change.enum, ["upserted", "deleted"]);
    assert.doesNotMatch(JSON.stringify(webhooks), /\$ref/);
  });

  test("is valid OpenAPI 3.1, and of API keys' operations alone has no webhooks", async () => {
    const files = openApiFiles();
    for (const served of Object.values(files)) {
      const validator = new Validator();
      const { valid, errors } = await validator.validate(JSON.parse(served));
      assert.ok(valid, JSON.stringify(errors));
      assert.equal(validator.version, "3.1");
    }
    assert.doesNotMatch(files["/openapi/v1.json"], /\/admin\/|SuperAdminAuth|CreatedApiKey|"webhooks":/);
  });
});

/** Client generators use them. New ones need not be here. */
const schemaNames = `
  ApiKey Activity ActivityPage ApiKeyPage Attendee AttendeeAnswer AttendeeChange AttendeePage BalancePayment BalancePaymentChange
  BalancePaymentPage CallingKey CategorySummary Change ChangesPage ChangesPagination CreatedApiKey Discount DiscountChange
  DiscountPage Event EventChange EventDate EventDateChange EventPage InvalidValue KeyFailure KeyFailurePage KeyUsage
  KeyUsageDay KeyUsageOperation ApiKeyInput BalancePaymentInput Order OrderChange OrderPage OrderUpdate OrderWithTickets Pagination
  Payment PaymentChange PaymentPage Problem Scope Summary Ticket TicketCategory TicketCategoryChange TicketCategoryPage TicketChange
  TicketPage
`;

describe("the schemas of the OpenAPI document", () => {
  test("keep their names", () => {
    const names = new Set(Object.keys(document.components.schemas));
    for (const name of schemaNames.trim().split(/\s+/)) assert.ok(names.has(name), name);
  });

  test("require every field but one, and allow null exactly if zod does", () => {
    const seller = {
      Event,
      EventDate,
      TicketCategory,
      Discount,
      Order,
      OrderWithTickets: singleSchema(orders, resources),
      Ticket,
      Payment,
      Attendee,
    };
    const others = { BalancePayment, Summary, CallingKey, ApiKey, Activity, CreatedApiKey };
    const schemas: Record<string, z.ZodObject> = { ...seller, ...others };
    for (const [id, { shape }] of Object.entries(schemas)) {
      const { properties = {}, required } = document.components.schemas[id] ?? {};
      assert.deepEqual(Object.keys(properties), Object.keys(shape));
      // Members that the service adds only if they are true.
      const isOptional = (name: string) =>
        id === "OrderWithTickets" ? name !== "tickets" && !(name in Order.shape) : name.startsWith("has_more_");
      assert.deepEqual(
        required,
        Object.keys(shape).filter((name) => !isOptional(name)),
      );
      for (const [field, schema] of Object.entries(shape)) {
        const { type, anyOf = [] } = properties[field] as JsonSchema;
        const types = [type, ...anyOf.map((one) => one.type)].flat();
        assert.equal(types.includes("null"), z.safeParse(schema, null).success, `${id}.${field}`);
      }
    }
  });
});

/** Every schema within the document, with the name of the property that has it. */
function* schemasIn(value: unknown, name = ""): Generator<[name: string, schema: Record<string, unknown>]> {
  if (typeof value !== "object" || value === null) return;
  if (!Array.isArray(value)) yield [name, value as Record<string, unknown>];
  for (const [key, member] of Object.entries(value)) yield* schemasIn(member, Array.isArray(value) ? name : key);
}

describe("generated clients", () => {
  test("get only strings as constants, because several generators make string enumerations of all", () => {
    for (const [name, { const: only = "", enum: values = [] }] of schemasIn(document))
      for (const value of [only, values].flat()) assert.ok(value === null || typeof value === "string", name);
  });

  const schemas = Object.entries(document.components.schemas);
  const bodies = endpoints.flatMap(({ body }) => (body ? [String(body.meta()?.id)] : []));

  test("ignore new members of responses, and send only known members", () => {
    const closed = schemas.filter(([, schema]) => schema.additionalProperties === false).map(([id]) => id);
    assert.deepEqual(closed, bodies.sort());
    // Generators invent a name for each object without one.
    assert.doesNotMatch(JSON.stringify(document.paths), /"type":"object"/);
  });

  test("know ids as 64-bit integers from 1, and have no pattern beside a format or with Unicode properties", () => {
    for (const [id, { properties = {} }] of schemas) {
      for (const [name, field] of Object.entries(properties)) {
        const schema = field as JsonSchema;
        const isId =
          /^id$|_id$/.test(name) && !/^(venue|tour)_id$/.test(name) && [schema.type].flat().includes("integer");
        if (isId) assert.deepEqual([schema.format, schema.minimum], ["int64", 1], `${id}.${name}`);
      }
    }
    const text = JSON.stringify(document);
    assert.doesNotMatch(text, /\\\\p\{|"exclusiveM/);
    for (const node of text.match(/\{[^{}]*"pattern"[^{}]*\}/g) ?? []) assert.doesNotMatch(node, /"format"/);
  });

  test("know the type of a change by its discriminator", () => {
    const { oneOf = [], discriminator } = document.components.schemas.Change as JsonSchema & {
      discriminator: { propertyName: string; mapping: Record<string, string> };
    };
    const { propertyName, mapping } = discriminator;
    assert.deepEqual(
      Object.values(mapping),
      oneOf.map(({ $ref }) => $ref),
    );
    for (const [value, reference] of Object.entries(mapping)) {
      const { properties = {} } = document.components.schemas[reference.split("/").at(-1) ?? ""] ?? {};
      assert.equal((properties[propertyName] as JsonSchema).const, value);
    }
  });
});

describe("the parts of the OpenAPI document", () => {
  test("cannot have two different schemas with one name", () => {
    const other = z.object({}).meta({ id: "Event", examples: [{}] });
    const clash = endpoint(
      { ...getKey, caller: apiKeyHolder("read"), operationId: "clash", path: "/v1/clash", response: other },
      () => ({}),
    );
    assert.throws(() => openApiDocument([...endpoints, clash], { version }), /Event/);
  });

  test("describe every field, parameter, header, response and tag", () => {
    const described = describable(document, "");
    assert.ok(described.length > 100);
    for (const { at, node } of described) {
      assert.match(String(node.description ?? ""), /^\S.*\.$/s, `${at} has no description that is a sentence`);
    }
  });
});

const describedPaths =
  /\/(parameters|tags)\/\d+$|\/(responses|headers|securitySchemes|schemas)\/[^/]+$|\/properties\/[^/]+$/;

/** Every part of the document that needs a description. A reference needs none, because its target has one. */
function describable(node: object, at: string): { at: string; node: { description?: unknown } }[] {
  const inner = Object.entries(node)
    .filter(([key, value]) => typeof value === "object" && value !== null && !/^examples?$/.test(key))
    .flatMap(([key, value]) => describable(value, `${at}/${key}`));
  return describedPaths.test(at) && !("$ref" in node) ? [{ at, node }, ...inner] : inner;
}
