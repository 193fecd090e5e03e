import assert from "node:assert/strict";
import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { globSync, readFileSync } from "node:fs";
import { expect, test } from "@jest/globals";
import { commands } from "../../cli/ops.ts";
import packageJson from "../../package.json" with { type: "json" };
import { until } from "../support/service/until.ts";
import { runProgram } from "./support/runProgram.ts";

const names = Object.keys(commands);
const scripts = Object.keys(packageJson.scripts);

test("--help lists every command with a sentence", async () => {
  const { code, stdout, stderr } = await runProgram("", ["--help"]);
  const lines = [...stdout.matchAll(/^ {2}([a-z -]+?) {2,}([A-Z].+\.)$/gm)];
  assert.deepEqual([code, stderr], [0, ""]);
  assert.deepEqual(
    lines.map(([, name]) => name),
    names,
  );
  assert.deepEqual(await runProgram("", ["-h"]), { code, signal: null, stdout, stderr });
});

test("every file that defines a command has one name, with which its help begins", async () => {
  const files = globSync("cli/*/*.ts").filter((file) => /= command\(/.test(readFileSync(file, "utf8")));
  const mains = new Set(await Promise.all(Object.values(commands).map(async ({ load }) => (await load()).main)));
  assert.equal(mains.size, names.length);
  assert.equal(files.length, names.length);
  for (const name of names) {
    const { code, stdout } = await runProgram(name, ["--help"]);
    assert.deepEqual([code, stdout.startsWith(`npm run ops -- ${name} `)], [0, true], name);
  }
});

test("a missing or unknown command is reported in one line, which does not repeat it", async () => {
  for (const [commandLine, problem] of [
    [[], "Name a command"],
    [["organisation"], "Unknown command"],
    [["organisation export", "--help"], "Unknown command"],
    [["constructor"], "Unknown command"],
    [["tsk_4fQ9wLxT"], "Unknown command"],
  ] as const) {
    const { code, stdout, stderr } = await runProgram("", [...commandLine]);
    assert.deepEqual([code, stdout, stderr], [2, "", `${problem}. See npm run ops -- --help.\n`]);
  }
});

for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) {
  test(`${signal} stops a command cleanly`, async () => {
    const child = spawn(process.execPath, ["cli/ops.ts", "import", "-", "--dry-run"]);
    let printed = "";
    child.stderr.on("data", (chunk) => {
      printed += chunk;
    });
    child.stdin.write("{}\n");
    // The command has read the line, and waits for the next.
    await until(async () => printed.includes("line 1: "));
    child.kill(signal);
    const [code] = await once(child, "close");
    assert.equal(code, 130);
    assert.match(printed, /\nInterrupted\. Run it again to continue\.\n$/);
  });
}

/** Every text of this repository except tests and the changelog. */
const texts = execFileSync("git", ["ls-files"], { encoding: "utf8" })
  .trim()
  .split("\n")
  .filter((file) => !/^test\/|^CHANGELOG\.md$|\.(png|gz|woff2)$/.test(file))
  .map((file) => ({ file, content: readFileSync(file, "utf8") }));
const pages = texts.filter(({ file }) => file.endsWith(".md"));

/** Commits before `npm run ops` have a script for each command. */
const isRollback = (file: string) => /(rollback\.yml|releases\.md)$/.test(file);

test("texts name only scripts, commands and checks that exist", () => {
  const isCommand = (words: string) => names.some((name) => `${words} `.startsWith(`${name} `));
  const checks = [...readFileSync(".ci/run", "utf8").matchAll(/^(\w+)\(\) /gm)].map(([, name = ""]) => name);
  const wrong = texts.flatMap(({ file, content }) => [
    ...[...content.matchAll(/npm run (?:--silent )?([\w:-]+)/g)]
      .filter(([, script = ""]) => !scripts.includes(script) && !(script === "smoke" && isRollback(file)))
      .map(([found]) => `${file}: ${found}`),
    ...[...content.matchAll(/npm run (?:--silent )?ops -- ([a-z][\w-]*(?: [\w-]+)?)/g)]
      .filter(([, words = ""]) => !isCommand(words))
      .map(([found]) => `${file}: ${found}`),
    ...[...content.matchAll(/(?:`|run: |^)(?:\S+=\S+ )*\.ci\/run ([a-z]\w*)/gm)]
      .filter(([, check = ""]) => !checks.includes(check))
      .map(([found]) => `${file}: ${found}`),
  ]);
  expect(wrong).toEqual([]);
});

test("the pages name every command, and no command that does not exist", () => {
  const code = pages.map(({ content }) => content).join("\n");
  expect(names.filter((name) => !code.includes(`npm run ops -- ${name}`))).toEqual([]);
  const things = new Set(names.filter((name) => name.includes(" ")).map((name) => name.split(" ")[0]));
  const named = [...code.matchAll(/`([a-z-]+)[ :]([a-z-]+)`/g)].filter(([, thing = ""]) => things.has(thing));
  assert.ok(named.length > 5);
  expect(named.map(([, thing, action]) => `${thing} ${action}`).filter((name) => !names.includes(name))).toEqual([]);
});

test("CONTRIBUTING.md has every check of .ci/run", () => {
  const [, checks = ""] = /^checks=\((.+)\)$/m.exec(readFileSync(".ci/run", "utf8")) ?? [];
  const [, table = ""] = readFileSync("CONTRIBUTING.md", "utf8").split("## Checks\n");
  const rows = [...table.matchAll(/^\| `(\w+)` \|/gm)].map(([, check]) => check);
  expect(rows.toSorted()).toEqual(["tests", ...checks.split(" ")].toSorted());
});
