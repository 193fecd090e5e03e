import type { Group, Message, Reference, Route } from "../document.ts";
import { type Field, fieldsOf, nameOf, type Schema, typeOf } from "../schemas.ts";

/** A page in Markdown, for programs that read documentation. */
export interface TextPage {
  path: string;
  title: string;
  text: string;
}

/**
 * The reference in Markdown: a page for each group of operations with the schemas that they use, and one for the messages of webhooks. A schema is
 * on the page of the group that returns it by itself.
 * @param taken the paths of other pages, which no group may have.
 */
export function resourcePages({ groups, messages, schemas }: Reference, taken: readonly string[]): TextPage[] {
  const pathOf = (name: string) => {
    const path = `/docs/${name.toLowerCase().replaceAll(" ", "-")}`;
    return `${path}${taken.includes(`${path}.md`) ? "-operations" : ""}.md`;
  };
  const all = new Map(schemas);
  const homes = homesOf(groups, pathOf);
  const pages = groups.map((group) => {
    const path = pathOf(group.name);
    const used = schemasOf(group.routes, all, (name) => (homes.get(name) ?? path) === path);
    const parts = [
      `# ${group.name}`,
      group.description,
      ...group.routes.map(operationText),
      ...(used.length > 0 ? ["## Schemas"] : []),
      ...used.map((name) => schemaText(name, all.get(name) ?? {})),
    ];
    const title = path.endsWith("-operations.md") ? `${group.name}: operations` : group.name;
    return { path, title, text: linked(parts, path, homes) };
  });
  return [...pages, messagesPage(messages)];
}

/** The page of the group with an operation that returns a schema by itself, by the name of the schema. */
function homesOf(groups: readonly Group[], pathOf: (name: string) => string): Map<string, string> {
  const found = groups.flatMap(({ name, routes }) =>
    routes.flatMap(({ method, responses }) =>
      responses
        .filter(({ status, type }) => method === "GET" && status === "200" && namesIn(type).length === 1)
        .map(({ type }) => [namesIn(type)[0] ?? "", pathOf(name)] as const),
    ),
  );
  // The first group wins.
  return new Map(found.reverse());
}

function namesIn(type: string): string[] {
  return [...type.matchAll(/\(#schema\/(\w+)\)/g)].map(([, name = ""]) => name);
}

/** The schemas on the operations' page, in the order in which a reader meets them. */
function schemasOf(
  routes: readonly Route[],
  all: ReadonlyMap<string, Schema>,
  isHere: (name: string) => boolean,
): string[] {
  const used = new Set<string>();
  const add = (name: string) => {
    if (used.has(name) || !isHere(name)) return;
    used.add(name);
    for (const inner of refsIn(all.get(name))) add(inner);
  };
  const types = routes.flatMap(({ parameters, body, responses }) => [
    ...parameters.map(({ type }) => type),
    ...(body ? [body.type] : []),
    ...responses.map(({ type }) => type),
  ]);
  for (const name of types.flatMap(namesIn)) add(name);
  return [...used];
}

function refsIn(schema: unknown): string[] {
  const refs = JSON.stringify(schema ?? {}).matchAll(/"#\/components\/schemas\/(\w+)"/g);
  return [...refs].map(([ref]) => nameOf(JSON.parse(ref)));
}

const tokens = { API_KEY: "an API key", ID_TOKEN: "an ID token of a super-admin" };

function operationText(route: Route): string {
  const { operationId, summary, description, method, path, parameters, body, responses, isDeprecated } = route;
  const success = responses.find(({ status }) => status.startsWith("2"));
  return paragraphs(
    `## ${operationId}`,
    `\`${method} ${path}\`: ${summary}. Takes ${tokens[route.credential]}.${isDeprecated ? " **Deprecated.**" : ""}`,
    description,
    parameters.length > 0 &&
      table(
        ["parameter", "in", "type", "description", "example"],
        parameters.map((one) => [
          `\`${one.name}\``,
          one.in + (one.isRequired ? ", required" : ""),
          one.type,
          one.description,
          code(one.example),
        ]),
      ),
    body && `Body: ${body.type}${body.isRequired ? "" : ", optional"}`,
    body && json(body.example),
    table(
      ["status", "body", "meaning"],
      responses.map(({ status, type, description }) => [status, type, description]),
    ),
    success?.example !== undefined && json(success.example),
  );
}

function schemaText(name: string, schema: Schema): string {
  const choices = schema.anyOf ?? schema.oneOf ?? schema.enum;
  return paragraphs(
    `### ${name}`,
    schema.description,
    schema.properties ? fieldTable(fieldsOf(schema)) : choices && typeOf(schema),
  );
}

function messagesPage(messages: readonly Message[]): TextPage {
  const title = "Webhook messages";
  const parts = messages.map(({ type, summary, body }) =>
    paragraphs(
      `## ${type}`,
      summary,
      body && fieldTable(body.fields),
      body?.example !== undefined && json(body.example),
    ),
  );
  return { path: "/docs/webhook-messages.md", title, text: linked([`# ${title}`, ...parts], "", new Map()) };
}

function fieldTable(fields: readonly Field[]): string {
  const rows = (some: readonly Field[], prefix = ""): string[][] =>
    some.flatMap(({ name, type, isRequired, description, fields }) => [
      [`\`${prefix}${name}\``, type + (isRequired ? "" : ", optional"), description],
      ...rows(fields, `${prefix}${name}${type.startsWith("array") ? "[]" : ""}.`),
    ]);
  return table(["field", "type", "description"], rows(fields));
}

function table(titles: string[], rows: readonly string[][]): string {
  const line = (cells: string[]) =>
    `| ${cells.map((cell) => cell.replaceAll("|", "\\|").replaceAll(/\s*\n\s*/g, " ")).join(" | ")} |`;
  return [line(titles), line(titles.map(() => "---")), ...rows.map(line)].join("\n");
}

function code(example: unknown): string {
  return example === undefined ? "" : `\`${[example].flat().join()}\``;
}

function json(value: unknown): string {
  return `\`\`\`json\n${JSON.stringify(value, null, 2)}\n\`\`\``;
}

function paragraphs(...parts: (string | false | undefined)[]): string {
  return parts.filter((part) => part !== undefined && part !== false && part !== "").join("\n\n");
}

function linked(parts: readonly string[], path: string, homes: ReadonlyMap<string, string>): string {
  const text = `${paragraphs(...parts)}\n`;
  return text.replaceAll(/\(#schema\/(\w+)\)/g, (_link, name: string) => {
    const home = homes.get(name) ?? path;
    return `(${home === path ? "" : home}#${name.toLowerCase()})`;
  });
}
