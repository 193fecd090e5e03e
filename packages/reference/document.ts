import * as z from "zod";
import { type Field, fieldsOf, nameOf, Schema, typeOf } from "./schemas.ts";

const Content = z
  .record(z.string(), z.object({ schema: Schema, example: z.unknown().optional() }))
  .transform((content) => Object.values(content)[0]);

const Operation = z.object({
  operationId: z.string(),
  tags: z.array(z.string()).default([]),
  summary: z.string(),
  description: z.string().default(""),
  deprecated: z.boolean().optional(),
  security: z.array(z.record(z.string(), z.unknown())),
  parameters: z
    .array(
      z.object({
        name: z.string(),
        in: z.enum(["path", "query", "header"]),
        required: z.boolean().optional(),
        description: z.string().default(""),
        schema: Schema,
        example: z.unknown().optional(),
      }),
    )
    .default([]),
  requestBody: z.object({ required: z.boolean(), content: Content }).optional(),
  responses: z.record(z.string(), z.object({ description: z.string(), content: Content.optional() })),
});

const Document = z.object({
  info: z.object({
    title: z.string(),
    version: z.string(),
    contact: z.object({ email: z.string(), url: z.string() }).partial().optional(),
  }),
  servers: z.tuple([z.object({ url: z.string() })]),
  tags: z.array(z.object({ name: z.string(), description: z.string() })),
  paths: z.record(z.string(), z.record(z.string(), z.unknown())),
  webhooks: z.record(z.string(), z.object({ post: Operation })).default({}),
  components: z.looseObject({
    schemas: z.record(z.string(), Schema),
    securitySchemes: z.record(z.string(), z.object({ bearerFormat: z.string() })).default({}),
  }),
});

export interface Parameter extends Field {
  in: "path" | "query" | "header";
  example?: unknown;
}

/** A body with its fields, including a named schema's. The type is Markdown. */
export interface Body {
  type: string;
  fields: Field[];
  example: unknown;
  isRequired: boolean;
}

/** An operation, with its method and path. Descriptions are Markdown. */
export interface Route {
  operationId: string;
  method: string;
  path: string;
  summary: string;
  description: string;
  isDeprecated: boolean;
  /** The samples' variable for the operation's bearer token. */
  credential: "API_KEY" | "ID_TOKEN";
  parameters: Parameter[];
  body: Body | undefined;
  responses: { status: string; description: string; type: string; example: unknown }[];
}

export interface Message {
  type: string;
  summary: string;
  description: string;
  body: Body | undefined;
}

export interface Group {
  name: string;
  description: string;
  routes: Route[];
}

/** The parts of an OpenAPI document that a reader needs, free of references except to schemas. */
export interface Reference {
  info: z.infer<typeof Document>["info"];
  /** The service's address without `/v1`; undefined if the document does not know it. */
  address: string | undefined;
  groups: Group[];
  messages: Message[];
  schemas: [name: string, schema: Schema][];
}

export function readDocument(openApi: unknown): Reference {
  const { info, servers, tags, paths, webhooks, components } = Document.parse(openApi);
  const { schemas, securitySchemes } = components;
  const tagged = Object.entries(paths).flatMap(([path, operations]) =>
    Object.entries(operations).map(([method, value]) => {
      const operation = Operation.parse(resolved(value, components));
      const [scheme = ""] = operation.security.flatMap(Object.keys);
      const credential = securitySchemes[scheme]?.bearerFormat === "JWT" ? "ID_TOKEN" : "API_KEY";
      return { tags: operation.tags, route: routeOf(operation, { path, method, credential }, schemas) };
    }),
  );
  const routesOf = (name: string) => tagged.filter((one) => one.tags.includes(name)).map(({ route }) => route);
  return {
    info,
    address: /^https?:/.test(servers[0].url) ? servers[0].url : undefined,
    groups: tags.map((tag) => ({ ...tag, routes: routesOf(tag.name) })),
    messages: Object.entries(webhooks).map(([type, { post }]) => ({
      type,
      summary: post.summary,
      description: post.description,
      body: bodyOf(post.requestBody, schemas),
    })),
    schemas: Object.entries(schemas),
  };
}

/** Resolves references to parameters and responses. Schemas have their own section. */
function resolved(value: unknown, components: Record<string, unknown>): unknown {
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return value.map((one) => resolved(one, components));
  const [, kind = "", name = ""] =
    /^#\/components\/(parameters|responses)\/(.+)$/.exec("$ref" in value ? String(value.$ref) : "") ?? [];
  const target = z.record(z.string(), z.unknown()).catch({}).parse(components[kind])[name];
  return (
    target ?? Object.fromEntries(Object.entries(value).map(([key, member]) => [key, resolved(member, components)]))
  );
}

function routeOf(
  {
    operationId,
    summary,
    description,
    deprecated = false,
    parameters,
    requestBody,
    responses,
  }: z.infer<typeof Operation>,
  { path, method, credential }: Pick<Route, "path" | "method" | "credential">,
  schemas: Record<string, Schema>,
): Route {
  return {
    operationId,
    summary,
    description,
    isDeprecated: deprecated,
    path,
    method: method.toUpperCase(),
    credential,
    parameters: parameters.map(({ schema, required = false, ...parameter }) => ({
      ...parameter,
      type: typeOf(schema),
      isRequired: required,
      fields: [],
    })),
    body: bodyOf(requestBody, schemas),
    responses: Object.entries(responses).map(([status, { description, content }]) => ({
      status,
      description,
      type: content ? typeOf(content.schema) : "",
      example: content?.example,
    })),
  };
}

function bodyOf(body: z.infer<typeof Operation>["requestBody"], schemas: Record<string, Schema>): Body | undefined {
  if (!body?.content) return undefined;
  const { schema, example } = body.content;
  const named = schema.$ref === undefined ? schema : (schemas[nameOf(schema.$ref)] ?? schema);
  return { type: typeOf(schema), fields: fieldsOf(named), example, isRequired: body.required };
}
