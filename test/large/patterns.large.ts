import assert from "node:assert/strict";
import { globSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join, relative } from "node:path";
import { test } from "@jest/globals";
import { parseSync } from "rolldown/utils";
import * as z from "zod";
import { endpoints } from "../../functions/endpoints/index.ts";
import { authorizationPattern } from "../../functions/keys/apiKeySecret.ts";
import { idTokenPattern } from "../../functions/people/signInSettings.ts";

interface Recheck {
  checkSync(source: string, flags: string, options?: { timeout: number }): { status: string };
}

// `.ci/run large` installs it; RECHECK names its directory.
const { checkSync }: Recheck = createRequire(import.meta.url)(process.env.RECHECK ?? "recheck");

const root = join(import.meta.dirname, "..", "..");

interface Pattern {
  source: string;
  flags: string;
}

/** Every regular expression in the functions and the local gateway, with its places. */
function patternsOfSources(): Map<string, { pattern: Pattern; places: string[] }> {
  const found = new Map<string, { pattern: Pattern; places: string[] }>();
  for (const file of globSync(["functions/**/*.ts", "packages/local-aws/{gateway,queue}/**/*.ts"], { cwd: root })) {
    const { program } = parseSync(file, readFileSync(join(root, file), "utf8"), { lang: "ts" });
    JSON.stringify(program, (_name, node) => {
      if (node?.regex) add({ source: node.regex.pattern, flags: node.regex.flags }, file);
      return typeof node === "bigint" ? undefined : node;
    });
  }
  for (const { operationId, params, query, headers, body } of endpoints) {
    for (const schema of [params, query, headers, body]) {
      JSON.stringify(schema && z.toJSONSchema(schema, { io: "input", unrepresentable: "any" }), (name, value) => {
        if (name === "pattern" && typeof value === "string") add({ source: value, flags: "u" }, operationId);
        return value;
      });
    }
  }
  add({ source: authorizationPattern, flags: "" }, "authorizationPattern");
  add({ source: idTokenPattern, flags: "" }, "idTokenPattern");
  return found;

  function add(pattern: Pattern, place: string): void {
    const key = `/${pattern.source}/${pattern.flags}`;
    found.set(key, { pattern, places: [...(found.get(key)?.places ?? []), relative(".", place)] });
  }
}

test("every regular expression that sees a client's text takes linear time", () => {
  const patterns = patternsOfSources();
  assert.ok(patterns.size > 30, "The sources were not read.");
  const harmful = [...patterns].flatMap(([text, { pattern, places }]) => {
    const { status } = checkSync(pattern.source, pattern.flags, { timeout: 60_000 });
    return status === "safe" ? [] : [{ text, places, status }];
  });
  assert.deepEqual(harmful, []);
});

test("the check recognises a pattern that takes quadratic time", () => {
  assert.equal(checkSync("eyJ[\\w-]+\\.[\\w-]+\\.[\\w-]*", "gi").status, "vulnerable");
});
