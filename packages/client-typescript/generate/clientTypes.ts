import { execFileSync } from "node:child_process";
import { tmpdir } from "node:os";
import { fileURLToPath } from "node:url";

export const clientTypesFile = fileURLToPath(new URL("../schema.ts", import.meta.url));

const repository = fileURLToPath(new URL("../../..", import.meta.url));

interface Operation {
  parameters: { name: string }[];
  responses: Record<string, object>;
}

/** The parts of an OpenAPI document that the types need only partly. */
interface Document {
  webhooks: object;
  paths: Record<string, Record<string, Operation>>;
}

/** Generates the content of {@link clientTypesFile}. Fetches the generator and the formatter, because nothing else needs them. */
export function clientTypes({ paths, webhooks: _, ...document }: Document): string {
  const needed = mapValues(paths, (item) => mapValues(item, neededOf));
  const generator = [
    "--yes",
    "--package=openapi-typescript@7.13.0",
    "--package=typescript@5.9.3",
    "openapi-typescript",
  ];
  // Outside the repository: its redocly.yaml is for the whole document.
  const types = run(tmpdir(), ["npx", ...generator], JSON.stringify({ ...document, paths: needed }, withoutExamples));
  const text = `// Made by "npm run client:generate" from the OpenAPI document.\n${types}`;
  return run(
    repository,
    ["npm", "run", "--silent", "biome", "--", "format", `--stdin-file-path=${clientTypesFile}`],
    text,
  );
}

function run(cwd: string, [program = "", ...options]: string[], input: string): string {
  return execFileSync(program, options, { cwd, input, encoding: "utf8" });
}

/** Keeps the request and the successful responses. The client throws all other responses. */
function neededOf({ parameters, responses, ...operation }: Operation) {
  const successes = Object.entries(responses).filter(([status]) => status.startsWith("2"));
  return {
    ...operation,
    parameters: parameters.filter(({ name }) => name !== "If-None-Match"),
    responses: Object.fromEntries(successes.map(([status, success]) => [status, { ...success, headers: undefined }])),
  };
}

function mapValues<Value, Mapped>(values: Record<string, Value>, map: (value: Value) => Mapped) {
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [name, map(value)] as const));
}

/** Examples would make up most of the file. No field of the API has one of these names. */
function withoutExamples(name: string, value: unknown): unknown {
  return name === "example" || name === "examples" ? undefined : value;
}
