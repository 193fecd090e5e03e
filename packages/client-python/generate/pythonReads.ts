import { fileURLToPath } from "node:url";
import * as z from "zod";
import { typeOf } from "./pythonTypes.ts";

export const pythonReadsFile = fileURLToPath(new URL("../src/ticketing_client/_reads.py", import.meta.url));

const Parameter = z.object({
  name: z.string(),
  in: z.enum(["path", "query", "header"]),
  required: z.boolean(),
  description: z.string().optional(),
  schema: z.looseObject({ type: z.string(), items: z.unknown().optional() }),
  example: z.unknown().optional(),
});
type Parameter = z.infer<typeof Parameter>;

const Operation = z.object({
  operationId: z.string(),
  summary: z.string(),
  parameters: z.array(Parameter),
  responses: z.object({
    200: z.object({ content: z.object({ "application/json": z.object({ schema: z.unknown() }) }) }),
  }),
});

const Page = z.object({ properties: z.object({ data: z.object({ items: z.unknown() }) }) });

interface Document {
  paths: Record<string, Record<string, unknown>>;
  components: { schemas: Record<string, unknown> };
}

const head = `"""A method for each read operation. Made by \`npm run client:generate\` from the OpenAPI document."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from datetime import date, datetime
from typing import Literal, TypeVar

from . import types as t

Time = str | date | datetime
"""A text in ISO 8601, a date, or a datetime with a time zone."""

Row = TypeVar("Row")
Query = Mapping[str, "Time | int | Sequence[str] | None"]


class Reads:
    """Lists are iterators that fetch each page when needed."""

    def _get(self, _: type[Row], path: str, query: Query | None = None) -> Row:
        raise NotImplementedError

    def _rows(self, row: type[Row], path: str, query: Query | None = None) -> Iterator[Row]:
        raise NotImplementedError
`;

/** The client has a reader of its own for this list, which also returns the cursors. */
const ownReader = "listChanges";

/** Generates the content of {@link pythonReadsFile} from the document of the operations that take an API key. */
export function pythonReads({ paths, components }: Document): string {
  const methods = Object.entries(paths).flatMap(([path, { get }]) => {
    if (!get) return [];
    const operation = Operation.parse(get);
    return operation.operationId === ownReader ? [] : [methodOf(path, operation, components.schemas)];
  });
  return [head, ...methods].join("\n");
}

function methodOf(path: string, operation: z.infer<typeof Operation>, schemas: Record<string, unknown>): string {
  const { operationId, summary, parameters, responses } = operation;
  const isList = operationId.startsWith("list");
  const name = operationId
    .replace(/^(get|list)/, "")
    .replaceAll(/(?<=[a-z])(?=[A-Z])/g, "_")
    .toLowerCase();
  const body = typeOf(responses[200].content["application/json"].schema);
  const row = `t.${isList ? typeOf(Page.parse(schemas[body]).properties.data.items) : body}`;
  const ids = parameters.filter((one) => one.in === "path").map((one) => one.name);
  const query = parameters.filter((one) => one.in === "query" && one.name !== "cursor" && one.name !== "per_page");
  const declared = [
    "self",
    ...ids.map((id) => `${id}: int`),
    ...(query.length > 0 ? ["*", ...query.map(declaration)] : []),
  ];
  const sent = query.map((one) => `"${one.name}": ${argumentOf(one.name)}`);
  const text = `${ids.length > 0 ? "f" : ""}"${path}"`;
  return `    def ${name}(${declared.join(", ")}) -> ${isList ? `Iterator[${row}]` : row}:
${docstring(summary, query)}
        return self.${isList ? "_rows" : "_get"}(${[row, text, ...(sent.length > 0 ? [`{${sent.join(", ")}}`] : [])].join(", ")})
`;
}

/** Python reserves `from`. */
function argumentOf(name: string): string {
  return { from: "start", to: "end" }[name] ?? name;
}

/** Times have no format in the document, because a format would exclude dates and local times. */
function isTime({ example }: Parameter): boolean {
  return z.iso.datetime().safeParse(example).success;
}

function declaration(parameter: Parameter): string {
  const { name, required, schema } = parameter;
  const { type, items } = schema;
  if (type === "array") return `${argumentOf(name)}: Sequence[${typeOf(items)}] = ()`;
  const scalar = isTime(parameter) ? "Time" : typeOf(schema);
  return `${argumentOf(name)}: ${required ? scalar : `${scalar} | None = None`}`;
}

function docstring(summary: string, query: readonly Parameter[]): string {
  const described = query.map(
    ({ name, description = "" }) =>
      `        :param ${argumentOf(name)}: ${description.replaceAll("`", "``").replace(", comma-separated", "")}\n`,
  );
  const times = query.some(isTime);
  const raised = times ? "        :raises ValueError: for a datetime without a time zone.\n" : "";
  if (described.length === 0) return `        """${summary}."""`;
  return `        """\n        ${summary}.\n\n${described.join("")}${raised}        """`;
}
