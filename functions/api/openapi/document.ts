import * as z from "zod";
import { problemCodes } from "../../problem.ts";
import { exampleOf } from "../../resources/fields.ts";
import { webhookMessages } from "../../webhooks/message.ts";
import { type Endpoint, methodsOf } from "../endpoint.ts";
import { problemBody, problemHeaders } from "../problemResponse.ts";
import { tags } from "../tags.ts";
import { type EndpointError, errorsOf, ProblemBody } from "./errors.ts";
import { describeHeaders, limitHeaders, successHeaders } from "./headers.ts";
import { type JsonSchema, type SchemaConverter, schemaConverter } from "./schemas.ts";

export type Operation = ReturnType<typeof operation>;

/**
 * The OpenAPI 3.1 document, derived from the endpoints' declarations, their zod schemas and the code that creates errors.
 * @throws Error if a response's schema has no example in its metadata, or two schemas share an id.
 */
export function openApiDocument(
  endpoints: readonly Endpoint[],
  { version, supportContact, baseUrl = "/" }: DocumentFacts,
) {
  const schemas = schemaConverter();
  const conversion = { convert: schemas.convert, exampleIds: exampleIdsOf(endpoints) };
  const paths = Map.groupBy(endpoints, ({ path }) => path);
  return {
    openapi: "3.1.1",
    info: {
      title: "Ticketing API",
      version,
      summary: "Programs' access to an organisation's events, orders, tickets, payments and attendees.",
      description,
      ...(supportContact !== undefined && { contact: contactOf(supportContact) }),
      license: { name: "MIT", identifier: "MIT" },
    },
    servers: [{ url: baseUrl }],
    tags: [...new Set(endpoints.map(({ tag }) => tag))].map((name) => ({ name, description: tags[name] })),
    paths: Object.fromEntries([...paths].map(([path, siblings]) => [path, pathItem(siblings, conversion)] as const)),
    webhooks: webhooksOf(schemas),
    components: {
      schemas: Object.fromEntries(Object.entries(schemas.components).sort()),
      securitySchemes: securitySchemesOf(endpoints),
    },
  };
}

interface DocumentFacts {
  version: string;
  /** An e-mail address or a URL where integrators get help. */
  supportContact?: string | undefined;
  baseUrl?: string | undefined;
}

/** Generators make a class of each scheme and schema, so their names must differ. */
const schemes = { apiKey: "ApiKeyAuth", superAdmin: "SuperAdminAuth" } as const;

const bearers = {
  apiKey: ["API key", "An API key of your organisation: `Authorization: Bearer <API_KEY>`."],
  superAdmin: ["JWT", "An ID token of a super-admin of your organisation, from signing in to the Developer area."],
} as const;

function securitySchemesOf(endpoints: readonly Endpoint[]) {
  const used = new Set(endpoints.map(({ caller }) => caller.scheme));
  const described = [...used].map((scheme) => {
    const [bearerFormat, description] = bearers[scheme];
    return [schemes[scheme], { type: "http", scheme: "bearer", bearerFormat, description }] as const;
  });
  return Object.fromEntries(described);
}

function contactOf(supportContact: string): { name: string; email?: string; url?: string } {
  const name = "Support";
  return supportContact.includes("://") ? { name, url: supportContact } : { name, email: supportContact };
}

/** Short, because code generators print it at the head of every file. */
const description = [
  "This API gives programs access to an organisation's ticketing data.",
  "Its guides and policies are at `/docs`, on the same origin as this document.",
  "Send an API key with every request: `Authorization: Bearer <API_KEY>`.",
].join(" ");

interface Conversion {
  convert: SchemaConverter["convert"];
  /** Keys are paths of one resource. */
  exampleIds: ReadonlyMap<string, unknown>;
}

/** The ids in the resources' examples. A list's example path then names the parent of its example rows. */
function exampleIdsOf(endpoints: readonly Endpoint[]): Conversion["exampleIds"] {
  const ofOne = endpoints.filter(({ path, status }) => path.endsWith("/{id}") && status !== 204);
  return new Map(
    ofOne.map((one) => [one.path, z.object({ id: z.unknown().optional() }).parse(exampleOfResponse(one)).id]),
  );
}

function pathItem(siblings: readonly Endpoint[], conversion: Conversion): Record<string, Operation> {
  const methods = siblings.flatMap(methodsOf);
  return Object.fromEntries(
    siblings.map((endpoint) => [endpoint.method.toLowerCase(), operation(endpoint, methods, conversion)] as const),
  );
}

function operation(endpoint: Endpoint, methods: readonly string[], { convert, exampleIds }: Conversion) {
  const { operationId, method, summary, caller, params, query, headers, body, status = 200 } = endpoint;
  const problem = convert(ProblemBody);
  return {
    operationId,
    tags: [endpoint.tag],
    summary,
    description: [endpoint.description, neededBy(endpoint)].filter(Boolean).join("\n\n"),
    ...(endpoint.deprecation && { deprecated: true }),
    // In OpenAPI 3.1 a bearer scheme may list the required scopes too.
    security: [{ [schemes[caller.scheme]]: caller.scope === undefined ? [] : [caller.scope] }],
    parameters: [
      ...parameters("path", params, convert, exampleIds.get(endpoint.path.replace(/(\{id\}).*/, "$1"))),
      ...parameters("query", query, convert),
      ...parameters("header", headers, convert),
    ],
    ...(body && { requestBody: requestBody(endpoint, body, convert) }),
    responses: {
      [status]: success(endpoint, convert),
      ...(method === "GET" && { 304: notModified(endpoint) }),
      ...failures(endpoint, methods, problem),
    },
  };
}

/** The messages of webhooks, as operations of the receiver. Their schemas are inline, because some generators drop components that no path uses. */
function webhooksOf({ components, convert }: SchemaConverter) {
  const inlined = (schema: unknown): unknown =>
    JSON.parse(JSON.stringify(schema), (_key, value) => {
      const [, id = ""] = /^#\/components\/schemas\/(.+)$/.exec(value?.$ref ?? "") ?? [];
      return components[id] ? inlined(components[id]) : value;
    });
  const entries = Object.entries(webhookMessages).map(([type, message]) => {
    const { description: summary, examples, ...schema } = inlined(convert(message)) as JsonSchema;
    const requestBody = { required: true, content: { "application/json": { schema, example: exampleOf(message) } } };
    const post = {
      operationId: `receive_${type}`,
      summary,
      description: received,
      security: [],
      requestBody,
      responses: accepted,
    };
    return [type, { post }] as const;
  });
  return Object.fromEntries(entries);
}

/** From Standard Webhooks (https://www.standardwebhooks.com). */
const received =
  "Signed in the headers `webhook-id`, `webhook-timestamp` and `webhook-signature`, as Standard Webhooks specifies. Any status other than 2xx is a failure, and 410 disables the webhook.";
const accepted = {
  "2XX": { description: "The message was accepted. Respond within ten seconds, before you process it." },
};

function neededBy({ caller: { scope } }: Endpoint): string {
  if (scope === undefined) return "Only for super-admins of the organisation.";
  return `Needs the scope \`${scope}\`${scope === "read" ? ", which every key has" : ""}.`;
}

function requestBody({ operationId }: Endpoint, body: z.ZodType, convert: SchemaConverter["convert"]) {
  const { examples, ...schema } = convert(body);
  const example = exampleOf(body, `the body of ${operationId}`);
  return { required: true, content: { "application/json": { schema, example } } };
}

function exampleOfResponse(endpoint: Endpoint): unknown {
  return exampleOf(endpoint.response, `the response of ${endpoint.operationId}`);
}

/**
 * Importers send every example, so a parameter that a working request must omit declares an empty list of them.
 * @param id the example of a parameter that declares no list.
 */
function parameters(
  location: "path" | "query" | "header",
  object: z.ZodObject | undefined,
  convert: SchemaConverter["convert"],
  id?: unknown,
) {
  return Object.entries(object?.shape ?? {}).map(([name, field]) => {
    const { description, examples, ...schema } = convert(field);
    const [example] = examples ?? [id];
    if (example === undefined && examples === undefined) throw new Error(`The parameter ${name} has no example.`);
    const required = !z.safeParse(field, undefined).success;
    const documented = location === "header" ? name.replaceAll(/\b[a-z]/g, (letter) => letter.toUpperCase()) : name;
    // Comma-separated.
    const style = schema.type === "array" ? { explode: false } : {};
    return {
      name: documented,
      in: location,
      required,
      description,
      ...style,
      schema,
      ...(example !== undefined && { example }),
    };
  });
}

function success(endpoint: Endpoint, convert: SchemaConverter["convert"]) {
  if (endpoint.status === 204)
    return { description: "Done; the response has no body.", headers: describeHeaders(successHeaders(endpoint)) };
  const { response } = endpoint;
  const example = exampleOfResponse(endpoint);
  const { examples, description, ...schema } = convert(response);
  return {
    description: response.description ?? "Success.",
    headers: describeHeaders(successHeaders(endpoint)),
    content: { "application/json": { schema, example } },
  };
}

function notModified(endpoint: Endpoint) {
  return {
    description: "The response still matches the `ETag` in `If-None-Match`.",
    headers: describeHeaders(successHeaders(endpoint)),
  };
}

/** The responses of errors by their status. Errors with one status are one response, with the example of the first. */
function failures(endpoint: Endpoint, methods: readonly string[], schema: JsonSchema) {
  const byStatus = Map.groupBy(errorsOf(endpoint, methods), ({ code }) => problemCodes[code].status);
  return Object.fromEntries(
    [...byStatus].map(([status, errors]) => {
      const [first] = errors.map((error) => failure(error, schema, endpoint.caller));
      return [status, { ...first, description: errors.map(({ code, when }) => `\`${code}\`: ${when}`).join(" ") }];
    }),
  );
}

function failure({ code, detail, members, headers }: EndpointError, schema: JsonSchema, caller: Endpoint["caller"]) {
  const example = problemBody(code, detail, requestId, members);
  const { "Content-Type": mediaType = "", ...others } = problemHeaders(code, requestId);
  return {
    headers: describeHeaders([...limitHeaders(caller), ...Object.keys({ ...others, ...headers })]),
    content: { [mediaType]: { schema, example } },
  };
}

const requestId = "8b2f6c1e-3d57-4a9b-9c40-6f1d2e7a5b83";
