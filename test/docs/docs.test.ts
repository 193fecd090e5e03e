import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { existsSync, globSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, test } from "@jest/globals";
import { endpoints } from "../../functions/endpoints/index.ts";
import { problemCodes } from "../../functions/problem.ts";
import { changingTypes } from "../../functions/resources/index.ts";
import { recordTypes } from "../../functions/resources/record.ts";
import { Settings } from "../../lib/settings.ts";
import packageJson from "../../package.json" with { type: "json" };
import { runProgram } from "../cli/support/runProgram.ts";
import { resourcesOf, synthesise } from "../lib/support/synthesise.ts";

const markdown = execFileSync("git", ["ls-files", "*.md"], { encoding: "utf8" }).trim().split("\n");
const pages = globSync("{README,docs/**/*}.md");

/** The parts of the pages' inline code that match, with their page. */
function codeIn(pattern: RegExp): { page: string; groups: string[] }[] {
  return pages.flatMap((page) =>
    [...readFileSync(page, "utf8").matchAll(/`([^`\n]+)`/g)].flatMap(([, code = ""]) =>
      [...code.matchAll(pattern)].map(([, ...groups]) => ({ page, groups: groups.map((group) => group ?? "") })),
    ),
  );
}

test("the queues and log groups that the pages name exist", async () => {
  const backupVaultArn = "arn:aws:backup:eu-central-1:444455556666:backup-vault:ticketing-copies";
  const { template } = await synthesise({ stage: "prod", backupVaultArn });
  const ids = ["AWS::SQS::Queue", "AWS::Logs::LogGroup"].flatMap((type) =>
    resourcesOf(template, type).map(([id]) => id.replace(/[0-9A-F]{8}$/, "")),
  );
  const named = codeIn(/\b((?!AccessLogs|Execution)[A-Z]\w*(?:DeadLetters|Logs)|\w*Failed[A-Z]\w*)(?=$|…)/g);
  assert.ok(named.length > 0);
  const wrong = named.filter(({ groups: [id = ""] }) => !ids.includes(id));
  expect(wrong).toEqual([]);
});

test("the requests that the pages name exist, with their parameters", () => {
  const named = codeIn(/\b(GET|POST|PATCH|DELETE) (\/(?:v1|admin)\/[^\s?`]*)(?:\?([^\s`]*))?/g);
  assert.ok(named.length > 30);
  const wrong = named.filter(({ groups }) => {
    const [method = "", path = "", query = ""] = groups;
    const shape = path.replace(/[.,…]+$/, "").replaceAll(/\{[^}]+\}|\b\d+\b|\b[A-Z]{2,}\b/g, "{id}");
    const found = endpoints.find((endpoint) => endpoint.method === method && endpoint.path === shape);
    const parameters = query.split("&").flatMap((parameter) => parameter.split("=")[0] || []);
    return !found || !parameters.every((name) => name in (found.query?.shape ?? {}));
  });
  expect(wrong).toEqual([]);
});

/** The lines of code of all pages, and their inline code. */
const codeOf = (page: string) =>
  [...readFileSync(page, "utf8").matchAll(/^ *```[\s\S]*?^ *```$|`[^`\n]+`/gm)].map(String).join("\n");

test("the resources of a stage that the pages name exist", async () => {
  const { template } = await synthesise({ stage: "prod" });
  const ids = Object.keys(template.Resources);
  const named = pages.flatMap((page) =>
    [...codeOf(page).matchAll(/ticketing-STAGE-([A-Z]\w+)/g)].map(([, id = ""]) => ({ page, id })),
  );
  assert.ok(named.length > 0);
  expect(named.filter(({ id }) => !ids.some((existing) => existing.startsWith(id)))).toEqual([]);
});

test("the settings that the pages name exist, and the page on deployment has them all", () => {
  const settings = Object.keys(Settings.shape);
  const named = pages.flatMap((page) =>
    [...codeOf(page).matchAll(/-c (\w+)=/g)].map(([, name = ""]) => ({ page, name })),
  );
  expect(named.filter(({ name }) => name !== "NAME" && !settings.includes(name))).toEqual([]);
  const deployment = codeOf("docs/operators/deployment.md");
  expect(settings.filter((name) => !new RegExp(`\\b${name}\\b`).test(deployment))).toEqual([]);
});

test("the commands that the pages name have the options with which the pages call them", async () => {
  const calls = pages.flatMap((page) =>
    [
      ...codeOf(page)
        .replaceAll("\\\n", " ")
        .matchAll(/npm run ops -- ([^`\n|;)]*)/g),
    ].map(([, call = ""]) => ({
      page,
      call,
      options: call.match(/(?<!\S)--[a-z-]+/g) ?? [],
    })),
  );
  assert.ok(calls.length > 40);
  const wrong: unknown[] = [];
  for (const { page, call, options } of calls) {
    const { stdout } = await runProgram("", [...call.split(" "), "--help"]);
    if (stdout === "" || options.some((option) => option !== "--help" && !stdout.includes(option)))
      wrong.push({ page, call });
  }
  expect(wrong).toEqual([]);
});

/** A page without its code, in which brackets and hashes are neither links nor headings. */
const proseOf = (page: string) => readFileSync(page, "utf8").replaceAll(/^ *```.*?^ *```$/gms, "");

/** The anchors that GitHub makes of a page's headings. */
function anchorsOf(page: string): Set<string> {
  const headings = [...proseOf(page).matchAll(/^#+ (.+)$/gm)].map(([, heading = ""]) => heading);
  return new Set(
    headings.map((heading) =>
      heading
        .toLowerCase()
        .replaceAll(/[^\p{L}\p{N}\s_-]/gu, "")
        .replaceAll(" ", "-"),
    ),
  );
}

function linksOf(page: string): string[] {
  const prose = proseOf(page).replaceAll(/`[^`\n]*`/g, "");
  const links = [...prose.matchAll(/\]\(([^)\s]+)\)/g)];
  return links.map(([, target = ""]) => target).filter((target) => !/^[a-z]+:/.test(target));
}

function isBroken(page: string, target: string): boolean {
  const [path = "", anchor] = target.split("#");
  const file = path === "" ? page : join(dirname(page), path);
  return !existsSync(file) || (anchor !== undefined && !anchorsOf(file).has(anchor));
}

test("every relative link of the documentation leads to a file, and to a heading if it names one", () => {
  const broken = markdown.flatMap((page) =>
    linksOf(page)
      .filter((target) => isBroken(page, target))
      .map((target) => `${page}: ${target}`),
  );
  assert.deepEqual(broken, []);
  assert.ok(markdown.flatMap(linksOf).length > 50);
});

test("the READMEs of the clients, which are read without this repository, have no relative links", () => {
  const readmes = markdown.filter((page) => /^packages\/client-[^/]+\//.test(page));
  assert.equal(readmes.length, 2);
  expect(readmes.flatMap(linksOf)).toEqual([]);
});

test("no page shows an address that ends with /v1, because every path begins with it", () => {
  const wrong = markdown.flatMap((page) =>
    [...readFileSync(page, "utf8").matchAll(/(?:https?:\/\/[^\s`"'<>)]*|BASE_URL\b"?)\/v1(?![\w/.-])/g)].map(
      ([text]) => `${page}: ${text}`,
    ),
  );
  expect(wrong).toEqual([]);
});

test("each guide with examples begins with the variables that they need", () => {
  const withExamples = globSync("docs/integrators/guides/*.md").filter((page) =>
    /^## Python$/m.test(readFileSync(page, "utf8")),
  );
  assert.ok(withExamples.length > 4);
  for (const page of withExamples) {
    const text = readFileSync(page, "utf8");
    const needs = text.split("\n")[2] ?? "";
    const read = [...text.matchAll(/environ\[["'](\w+)["']\]/g)].map(([, name = ""]) => name);
    const lacking = read.filter((need) => !needs.includes(`\`${need}\``));
    expect({ page, lacking }).toEqual({ page, lacking: [] });
  }
});

test("the changelog begins with the version of the API", () => {
  const changelog = readFileSync(new URL("../../CHANGELOG.md", import.meta.url), "utf8");
  assert.equal(/^## (.+)$/m.exec(changelog)?.[1], packageJson.version);
});

test("the guide about errors has every code with its status", () => {
  const guide = readFileSync("docs/integrators/guides/errors-and-retries.md", "utf8");
  const rows = [...guide.matchAll(/^\| (\d{3}) \| `(\w+)` \|/gm)].map(([, status, code]) => `${status} ${code}`);
  expect(rows).toEqual(Object.entries(problemCodes).map(([code, { status }]) => `${status} ${code}`));
});

test("the pages and the Python client list every type of resource", () => {
  const lists = [
    ["docs/operators/feed.md", "`", recordTypes],
    ["docs/integrators/http-contract.md", "`", changingTypes],
    ["packages/client-python/src/ticketing_client/_client.py", '"', changingTypes],
  ] as const;
  expect(
    lists.flatMap(([file, quote, types]) => {
      const text = readFileSync(file, "utf8");
      return types.filter((type) => !text.includes(quote + type + quote)).map((type) => `${file} lacks ${type}`);
    }),
  ).toEqual([]);
});

test("each step of CONTRIBUTING's ways through the code names a file and the functions in it", () => {
  const [, after = ""] = readFileSync("CONTRIBUTING.md", "utf8").split("## Ways through the code\n");
  const [ways = ""] = after.split("\n## ");
  const steps = [...ways.matchAll(/^\| `([\w/]+\.ts)` \| ([^|]+) \|/gm)].flatMap(([, file = "", names = ""]) =>
    [...names.matchAll(/`(\w+)`/g)].map(([, name = ""]) => ({ file, name })),
  );
  const isIn = ({ file, name }: (typeof steps)[number]) =>
    new RegExp(`^\\s*(export )?(async |function |const )*${name}\\b`, "m").test(
      readFileSync(`functions/${file}`, "utf8"),
    );
  assert.ok(steps.length > 20);
  expect(steps.filter((step) => !isIn(step))).toEqual([]);
});
