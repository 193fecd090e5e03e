import assert from "node:assert/strict";
import { Ajv2020 } from "ajv/dist/2020.js";
import * as z from "zod";
import { openApiDocument } from "../../../functions/api/openapi/document.ts";
import { endpoints } from "../../../functions/endpoints/index.ts";
import { type Answer, textOf } from "./send.ts";

const document = openApiDocument(endpoints, { version: "0.0.0" });
for (const schema of Object.values(document.components.schemas)) {
  // Clients must accept further members, but the service must not return undocumented ones.
  if (schema.type === "object") schema.additionalProperties = false;
}

const formats = {
  int64: { type: "number", validate: Number.isSafeInteger },
  date: (text: string) => z.iso.date().safeParse(text).success,
  "date-time": (text: string) => z.iso.datetime({ offset: true }).safeParse(text).success,
} as const;
const ajv = new Ajv2020({ allErrors: true, allowUnionTypes: true, formats });
ajv.addVocabulary([...Object.keys(document), "discriminator"]);
ajv.addSchema(document, "document");

/** The schemas of its bodies, by media type. */
const DocumentedAnswer = z.object({ content: z.record(z.string(), z.unknown()).default({}) });

/**
 * Asserts that the OpenAPI document describes a response: its status, its media type and its body. Ignores responses to requests that
 * went to an undeclared path.
 *
 * @param target the request's path, with its query.
 */
export function assertDocumented(method: string, target: string, answer: Answer): void {
  const template = templateOf(method, target);
  if (template === undefined) return;
  const { status, headers, body } = answer;
  const where = `${method} ${template} ${status}`;
  const place = ["paths", template, method.toLowerCase(), "responses", String(status)];
  const documented = Object.entries(document.paths[template]?.[method.toLowerCase()]?.responses ?? {});
  const [, response] = documented.find(([code]) => Number(code) === status) ?? [];
  assert.ok(response, `${where} is not documented: ${textOf(answer).slice(0, 300)}`);
  const [mediaType] = Object.keys(DocumentedAnswer.parse(response).content);
  if (mediaType === undefined) {
    assert.equal(body.length, 0, where);
    return;
  }
  assert.equal(headers["content-type"]?.toString().split(";")[0], mediaType, where);
  assertValid([...place, "content", mediaType, "schema"], JSON.parse(textOf(answer)));
}

/** The path of the declared endpoint that a request goes to, if any. */
function templateOf(method: string, target: string): string | undefined {
  const [path = ""] = target.split("?");
  return endpoints.find(
    (endpoint) => endpoint.method === method && new RegExp(`^${endpoint.path.replace("{id}", "[^/]+")}$`).test(path),
  )?.path;
}

/** @param place the schema's place in the document. */
function assertValid(place: string[], value: unknown): void {
  const pointer = place.map((part) => encodeURIComponent(part.replaceAll("~", "~0").replaceAll("/", "~1"))).join("/");
  const validate = ajv.getSchema(`document#/${pointer}`);
  assert.ok(validate, pointer);
  assert.ok(validate(value), `${place.join(" ")}: ${ajv.errorsText(validate.errors)}`);
}
