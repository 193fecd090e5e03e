import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { copyFile, writeFile } from "node:fs/promises";
import { basename, join } from "node:path";
import { describe, test } from "@jest/globals";
import { startChildService } from "../support/service/childService.ts";
import { temporaryDirectory } from "../support/temporaryDirectory.ts";
import { outputOf } from "./clients.ts";
import { type Call, stubModel } from "./frameworks/stubModel.ts";

// Not part of `npm test`, because the frameworks are downloaded.
const { uv = "" } = process.env;
const { description } = await startChildService();
const [organisation = assert.fail()] = description.organisations;
const [{ key } = assert.fail()] = organisation.keys;
const guide = readFileSync("docs/integrators/guides/assistants.md", "utf8");
const programs = join(import.meta.dirname, "frameworks");
const directory = temporaryDirectory();

const absent = { cursor: "", reference: "", email: "", from: "", to: "", expand: [], date_id: 0, fields: "" };
const script: Call[] = [
  { name: "list_orders", values: { per_page: 2 } },
  { name: "list_orders", values: { per_page: 2, ...absent } },
  { name: "list_orders", values: { per_page: 2, buyer_email: "nobody@example.org" } },
  { name: "list_orders", values: { per_page: 2, reason: "the user asked" } },
  { name: "get_order", values: { order_id: 999_999_999, expand: [], fields: "" } },
];
const model = await stubModel(script);

interface Framework {
  /** As the guide's table has it. */
  name: string;
  program: string;
  /** True if it refuses arguments itself that a tool does not have, or drops them. */
  checks?: true;
  /** True if it refuses a call that lacks an argument. */
  fills?: true;
}

const frameworks: Framework[] = [
  { name: "OpenAI Agents SDK", program: "openai_agents.py" },
  { name: "Pydantic AI", program: "pydantic_ai_agent.py" },
  { name: "LangChain", program: "langchain_agent.py" },
  { name: "LlamaIndex", program: "llama_index_agent.py" },
  { name: "Haystack", program: "haystack_agent.py" },
  { name: "smolagents", program: "smolagents_agent.py", checks: true, fills: true },
  { name: "Semantic Kernel", program: "semantic_kernel_agent.py", checks: true },
  { name: "mcp-use", program: "mcp_use_agent.py", checks: true },
  { name: "Google Gen AI SDK", program: "google_genai_agent.py" },
  { name: "LiteLLM", program: "litellm_agent.py" },
  { name: "AI SDK", program: "ai_sdk.mjs" },
];

/** Runs a program with the stub model. */
async function run(program: string): Promise<void> {
  const quiet = { MCP_USE_ANONYMIZED_TELEMETRY: "false", HAYSTACK_TELEMETRY_ENABLED: "False" };
  const MODEL_URL = model.urlOf(basename(program, ".py"));
  const environment = { ...quiet, BASE_URL: description.base_url, API_KEY: key, MODEL_URL };
  const file = join(programs, program);
  if (!program.endsWith(".py")) return runModule(file, environment);
  const options = ["run", "--quiet", "--python", `${uv}/bin/python`, "--cache-dir", join(directory, "uv"), "--script"];
  await outputOf(`${uv}/bin/uv`, [...options, file], directory, environment);
}

const install = (...packages: string[]) =>
  outputOf("npm", ["install", "--no-audit", "--no-fund", "--prefix", directory, ...packages], directory);

async function runModule(file: string, environment: object): Promise<void> {
  const [, packages = assert.fail()] = /^\/\/ npm install (.*)$/m.exec(readFileSync(file, "utf8")) ?? [];
  await install(...packages.split(" "));
  const copy = join(directory, basename(file));
  await copyFile(file, copy);
  await outputOf("node", [copy], directory, environment);
}

/** The service's rows in an answer, without a framework's own words, such as the call's id. */
const rowsIn = (answer = "") => answer.slice(answer.indexOf("data"));

/** The service's JSON somewhere in what a model reads, where a framework may have quoted it. */
const includes = (answer: string | undefined, text: string) => answer?.replaceAll("\\", "").includes(text) ?? false;

/** The numbers of tokens of texts, in the encoding of OpenAI's models since GPT-4o. */
async function tokensOf(texts: readonly string[]): Promise<number[]> {
  await install("gpt-tokenizer@3.4.0");
  await writeFile(join(directory, "texts.json"), JSON.stringify(texts));
  const program = `import { readFileSync } from "node:fs";
    import { encode } from "gpt-tokenizer/encoding/o200k_base";
    console.log(JSON.stringify(JSON.parse(readFileSync("texts.json", "utf8")).map((text) => encode(text).length)));`;
  await writeFile(join(directory, "tokens.mjs"), program);
  return JSON.parse(await outputOf("node", ["tokens.mjs"], directory));
}

describe("a framework's model gets every tool and reads what the service answers", () => {
  for (const { name, program, checks, fills } of frameworks) {
    test(name, async () => {
      await run(program);
      const { tools, answers } = model.givenIn(basename(program, ".py"));
      const [obvious, filled, unknown, reason, error] = answers;
      assert.equal(answers.length, script.length, answers.join("\n"));
      assert.ok(tools.length >= 16);
      assert.ok(includes(filled, '"data":[{"id":'), filled);
      if (!fills) assert.equal(rowsIn(filled), rowsIn(obvious));
      assert.ok(includes(error, "No such order."), error);
      if (!checks) {
        assert.ok(includes(unknown, "buyer_email: Unknown argument. The tool's arguments are"), unknown);
        assert.ok(includes(reason, '"ignored_arguments":"reason"'), reason);
      }
      for (const answer of answers) assert.equal(answer.split('structuredContent":{').length, 1, answer);
    });
  }
});

test("the list of tools takes at most 1,600 tokens as LangChain sends it, and the table of tokens is printed", async () => {
  const texts = frameworks.flatMap(({ program }) => {
    const { tools, answers } = model.givenIn(basename(program, ".py"));
    return [JSON.stringify(tools), ...script.map((_, at) => answers[at] ?? "")];
  });
  const tokens = await tokensOf(texts);
  const rows = frameworks.map(({ name }, at) => [name, ...tokens.slice(at * 6, at * 6 + 6)]);
  const head = ["framework", "tools", "obvious", "filled", "unknown filter", "reason", "error"];
  process.stdout.write(`${[head, ...rows].map((row) => row.join("\t")).join("\n")}\n`);
  const [, listed] = rows.find(([name]) => name === "LangChain") ?? [];
  assert.ok(Number(listed) <= 1_600, `${listed} tokens`);
});

test("the guide's settings of each framework are those of its program", () => {
  for (const { name, program } of frameworks) {
    const [, version = assert.fail(name), settings = ""] =
      new RegExp(`^\\| ${name} ([\\d.]+) \\| (.*) \\|$`, "m").exec(guide) ?? [];
    const source = readFileSync(join(programs, program), "utf8");
    assert.ok(source.includes(version), `${name} ${version}`);
    for (const [, code = ""] of settings.matchAll(/`([^`]+)`/g)) assert.ok(source.includes(code), `${name}: ${code}`);
  }
});
