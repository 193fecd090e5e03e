import assert from "node:assert/strict";
import { describe, test } from "@jest/globals";
import * as z from "zod";
import { referenceSite } from "../../../lib/website/sites.ts";
import { readDocument } from "../document.ts";
import { resourcePages } from "../markdown/resourcePages.ts";

/*
 * Rebuilds the reference from the Markdown pages alone, as a program that writes an integration would read them, and compares it with the OpenAPI
 * document.
 */

const files = new Map(referenceSite().map(({ path, body }) => [path, body.toString()]));
const document = JSON.parse(files.get("/openapi.json") ?? "");
const llms = files.get("/llms.txt") ?? "";
const pages = new Map(
  [...llms.matchAll(/\]\((\/docs\/[a-z-]+\.md)\)/g)].map(([, path = ""]) => [
    path,
    files.get(path) ?? assert.fail(path),
  ]),
);

type Json = Record<string, unknown>;
const oneLine = (text: string) => text.replaceAll(/\s*\n\s*/g, " ").trim();

/** The rows of the first table with these titles, as objects. */
function rowsOf(text: string, ...titles: string[]): Record<string, string>[] {
  const [, table = ""] = text.split(`| ${titles.join(" | ")} |\n`);
  const lines = table.split("\n").slice(1);
  const end = lines.findIndex((line) => !line.startsWith("|"));
  return lines.slice(0, end === -1 ? undefined : end).map((line) => {
    const cells = line.slice(2, -2).split(/(?<!\\) \| /);
    return Object.fromEntries(titles.map((title, index) => [title, (cells[index] ?? "").replaceAll("\\|", "|")]));
  });
}

/** The meaning of a type: the schemas, whether null is allowed, and the enumerated values. */
function typeIn(text: string) {
  const words = text.replace(/, optional$/, "").replaceAll(/ \((?!#|\/).*?\)/g, "");
  return {
    refs: [...words.matchAll(/\[(\w+)\]\((.*?)#(\w+)\)/g)].map(([, name]) => name),
    isNullable: / or null$/.test(words),
    isOptional: text.endsWith(", optional"),
    isArray: words.startsWith("array of "),
    values: [...words.matchAll(/`([^`]+)`/g)].map(([, value]) => value),
  };
}

/** The same of a JSON schema. */
function typeOf(schema: Json, isOptional: boolean) {
  const choices = z
    .array(z.record(z.string(), z.unknown()))
    .default([])
    .parse(schema.anyOf ?? schema.oneOf);
  const refs = [...JSON.stringify(shallow(schema)).matchAll(/"#\/components\/schemas\/(\w+)"/g)].map(
    ([, name]) => name,
  );
  const items = Object(schema.items);
  const values = [...[schema.enum ?? items.enum ?? []].flat(), ...("const" in schema ? [schema.const] : [])];
  return {
    refs,
    isNullable: [schema.type].flat().includes("null") || choices.some(({ type }) => type === "null"),
    isOptional,
    isArray: [schema.type].flat().includes("array"),
    values: values
      .filter((value) => value !== null)
      .map((value) => (typeof value === "string" && "const" in schema ? JSON.stringify(value) : String(value))),
  };
}

/** Without the members of inner objects, which have rows of their own. */
function shallow(schema: unknown): unknown {
  return JSON.parse(JSON.stringify(schema), (key, value) =>
    key === "properties" || key === "discriminator" ? undefined : value,
  );
}

/** The fields of a schema, with those of inner objects without a name. */
function fieldsOf(schema: Json, prefix = ""): Record<string, object> {
  const entries = Object.entries(
    z.record(z.string(), z.record(z.string(), z.unknown())).default({}).parse(schema.properties),
  );
  const required = [schema.required ?? []].flat();
  return Object.assign(
    {},
    ...entries.map(([name, field]) => ({
      [prefix + name]: {
        description: oneLine(String(field.description ?? "")),
        ...typeOf(field, !required.includes(name)),
      },
      ...fieldsOf(Object(field.items ?? field), `${prefix}${name}${field.items ? "[]" : ""}.`),
    })),
  );
}

function fieldsIn(text: string): Record<string, object> {
  const rows = rowsOf(text, "field", "type", "description");
  return Object.fromEntries(
    rows.map(({ field = "", type = "", description }) => [field.replaceAll("`", ""), { description, ...typeIn(type) }]),
  );
}

/** The part of a page below a heading, up to the next one. */
function sectionsOf(level: string): Map<string, string> {
  const parts = [...pages.values()].flatMap((text) => text.split(/^(?=##+ )/m));
  return new Map(
    parts.filter((part) => part.startsWith(`${level} `)).map((part) => [/^#+ (.*)$/m.exec(part)?.[1] ?? "", part]),
  );
}

const Body = z.record(z.string(), z.object({ schema: z.record(z.string(), z.unknown()), example: z.unknown() }));
const Operation = z.object({
  operationId: z.string(),
  summary: z.string(),
  description: z.string(),
  parameters: z.array(
    z.object({
      name: z.string(),
      in: z.string(),
      required: z.boolean(),
      description: z.string(),
      schema: z.record(z.string(), z.unknown()),
      example: z.unknown().optional(),
    }),
  ),
  requestBody: z.object({ content: Body }).optional(),
  responses: z.record(z.string(), z.object({ description: z.string(), content: Body.optional() })),
});

const operations = Object.entries(document.paths as Record<string, Record<string, Json>>).flatMap(([path, item]) =>
  Object.entries(item).map(([method, operation]) => ({
    path,
    method: method.toUpperCase(),
    operation: resolved(operation),
  })),
);

/** With its shared parts. */
function resolved(value: unknown): z.infer<typeof Operation> {
  const text = JSON.stringify(value, (_key, member) => {
    const [, kind = "", name = ""] = /^#\/components\/(parameters|responses)\/(.+)$/.exec(member?.$ref ?? "") ?? [];
    return kind === "" ? member : document.components[kind][name];
  });
  return Operation.parse(JSON.parse(text));
}

const sections = sectionsOf("##");
const schemas = sectionsOf("###");

describe("the reference in Markdown has the operation", () => {
  for (const { path, method, operation } of operations) {
    const { operationId, summary, description, parameters, requestBody, responses } = operation;

    test(`${operationId} with its parameters, bodies, errors and examples`, () => {
      const text = sections.get(operationId) ?? assert.fail(`No page has ${operationId}.`);
      assert.ok(text.includes(`\`${method} ${path}\`: ${summary}.`) && text.includes(description));
      assert.deepEqual(
        rowsOf(text, "parameter", "in", "type", "description", "example").map(({ type = "", ...row }) => ({
          ...row,
          ...typeIn(type),
        })),
        parameters.map((one) => ({
          parameter: `\`${one.name}\``,
          in: one.in + (one.required ? ", required" : ""),
          description: oneLine(one.description),
          example: one.example === undefined ? "" : `\`${[one.example].flat().join()}\``,
          ...typeOf(one.schema, false),
        })),
      );
      assert.deepEqual(
        rowsOf(text, "status", "body", "meaning").map(({ body = "", ...row }) => ({ ...row, refs: typeIn(body).refs })),
        Object.entries(responses).map(([status, { description, content = {} }]) => ({
          status,
          meaning: oneLine(description),
          refs: Object.values(content).flatMap(({ schema }) => typeOf(schema, false).refs),
        })),
      );
      const success = Object.entries(responses)
        .filter(([status]) => status.startsWith("2"))
        .map(([, one]) => one.content);
      const bodies = [requestBody?.content, ...success].flatMap((content) => Object.values(content ?? {}));
      const examples = [...text.matchAll(/^```json\n(.*?)^```$/gms)].map(([, json = ""]) => JSON.parse(json));
      assert.deepEqual(
        examples,
        bodies.map(({ example }) => example),
      );
    });
  }
});

describe("the reference in Markdown", () => {
  test.each(Object.entries(document.components.schemas as Record<string, Json>))(
    "has the schema %s with the types, nulls and descriptions of its fields",
    (name, schema) => {
      const text = schemas.get(name) ?? assert.fail(`No page has ${name}.`);
      assert.ok(text.includes(String(schema.description ?? "")));
      assert.deepEqual(fieldsIn(text), fieldsOf(schema));
      if (!schema.properties)
        assert.deepEqual(typeIn(text.trim().split("\n\n").at(-1) ?? "").refs, typeOf(schema, false).refs);
    },
  );

  test("has the messages of webhooks", () => {
    const messages = Object.entries(document.webhooks as Record<string, { post: Json }>);
    assert.ok(messages.length > 0);
    for (const [type, { post }] of messages) {
      const { content } = z.object({ content: Body }).parse(post.requestBody);
      const [{ schema } = assert.fail()] = Object.values(content);
      assert.deepEqual(fieldsIn(sections.get(type) ?? assert.fail(type)), fieldsOf(schema));
    }
  });
});

test("every link in the Markdown leads to a page, and to a heading if it names one", () => {
  for (const [path, text] of pages) {
    for (const [, page = "", anchor = ""] of text.matchAll(/\]\((\/docs\/[\w-]+\.md)?(?:#([\w-]+))?\)/g)) {
      const target = pages.get(page || path) ?? assert.fail(`${path}: ${page}`);
      const headings = [...target.matchAll(/^#+ (.*)$/gm)].map(([, heading = ""]) =>
        heading
          .toLowerCase()
          .replaceAll(/[^\w -]/g, "")
          .replaceAll(" ", "-"),
      );
      assert.ok(anchor === "" || headings.includes(anchor), `${path}: ${page}#${anchor}`);
    }
  }
});

test("a group's page does not take the path of another page", () => {
  const paths = resourcePages(readDocument(document), ["/docs/orders.md"]).map(({ path }) => path);
  assert.ok(paths.includes("/docs/orders-operations.md") && !paths.includes("/docs/orders.md"));
});
