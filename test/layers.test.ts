import assert from "node:assert/strict";
import { globSync, readFileSync } from "node:fs";
import { basename, dirname, join, normalize } from "node:path";
import { expect, test } from "@jest/globals";
import { parseSync } from "rolldown/utils";

/** The parts of the sources, lowest first. A part imports only parts of earlier lines. */
const layers: readonly (readonly string[])[] = [
  ["functions/problem.ts", "functions/parseJson.ts", "functions/policy.ts", "functions/queue.ts"],
  ["functions/log/"],
  ["functions/probe/"],
  ["functions/values/"],
  ["functions/resources/"],
  ["functions/table/"],
  ["functions/people/", "functions/records/"],
  ["functions/audit/"],
  ["functions/keys/", "functions/changes/", "functions/feed/"],
  ["functions/webhooks/"],
  ["functions/summaries/"],
  ["functions/stream/"],
  ["functions/api/"],
  ["functions/endpoints/"],
  ["functions/mcp/"],
  ["lib/"],
  ["local/"],
  ["cli/", "bin/"],
  ["bench/"],
];

/** The folders that may import the AWS SDK. Only the emulated services and the commands use more of it than the table. */
const sdkUsers =
  /^(functions\/(queue\.ts$|(table|feed|changes|webhooks|probe)\/)|(local|cli|bench|lib|packages\/local-aws)\/)/;

const service = globSync("{functions,lib,local,bin,cli,bench}/**/*.{ts,tsx}");
const packaged = globSync("packages/**/*.{ts,tsx}", {
  exclude: ["packages/*/{test,node_modules,dist}/**", "packages/{client-typescript,developer-area/app/api}/schema.ts"],
});
const files = [...service, ...packaged];

function importsOf(file: string): string[] {
  const text = readFileSync(file, "utf8");
  const { module } = parseSync(file, text);
  return [
    ...module.staticImports.map(({ moduleRequest }) => moduleRequest.value),
    ...module.staticExports.flatMap(({ entries }) =>
      entries.flatMap(({ moduleRequest }) => moduleRequest?.value ?? []),
    ),
  ];
}

function layerOf(file: string): number {
  return layers.findIndex((parts) => parts.some((part) => file.startsWith(part)));
}

function partOf(file: string): string {
  return layers.flat().find((part) => file.startsWith(part)) ?? "";
}

test("every source file is in a layer and imports only its own part and lower layers", () => {
  assert.ok(service.length > 200);
  const wrong = service.flatMap((file) => {
    if (layerOf(file) < 0) return [`${file} is in no layer`];
    return importsOf(file)
      .filter((imported) => imported.startsWith("."))
      .map((imported) => normalize(join(dirname(file), imported)))
      .filter((target) => partOf(target) !== partOf(file) && layerOf(target) >= layerOf(file))
      .map((target) => `${file} imports ${target}`);
  });
  expect(wrong).toEqual([]);
});

test("no two files of functions, lib, cli and local have the same name", () => {
  const sources = globSync("{functions,lib,cli,local}/**/*.ts", { exclude: ["**/index.ts"] });
  const namesakes = Object.values(Object.groupBy(sources, (file) => basename(file)));
  expect(namesakes.filter((same = []) => same.length > 1)).toEqual([]);
});

test("a package imports nothing but itself, and the service imports its public entrance", () => {
  assert.ok(packaged.length > 80);
  const packageOf = (file: string) => /^packages\/[^/]+\//.exec(file)?.[0] ?? "";
  const wrong = files.flatMap((file) =>
    importsOf(file)
      .filter((imported) => imported.startsWith(".") || imported.startsWith("@ticketing/"))
      .map((imported) => (imported.startsWith(".") ? normalize(join(dirname(file), imported)) : imported))
      .filter((target) =>
        packageOf(file)
          ? packageOf(target) !== packageOf(file)
          : target.startsWith("packages/") && !/^packages\/client-\w+\/generate\//.test(target),
      )
      .map((target) => `${file} imports ${target}`),
  );
  expect(wrong).toEqual([]);
});

test("an endpoint imports no other endpoint, and only schemas and repositories from other folders", () => {
  const wrong = globSync("functions/endpoints/*.ts", {
    exclude: ["functions/endpoints/{index,readEndpoints,otherEndpoints}.ts"],
  }).flatMap((file) =>
    importsOf(file)
      .filter(
        (imported) =>
          imported.startsWith(".") &&
          !/^\.\.\/(api\/|resources\/|problem\.ts|keys\/(apiKey|keyUsage)\.ts|summaries\/summary\.ts|changes\/change\.ts|webhooks\/webhook\.ts|\w+\/\w+Repository\.ts)/.test(
            imported,
          ),
      )
      .map((imported) => `${file} imports ${imported}`),
  );
  expect(wrong).toEqual([]);
});

test("only code that calls AWS imports the SDK, and functions never import the CDK", () => {
  const wrong = files.flatMap((file) =>
    importsOf(file)
      .filter(
        (imported) =>
          (/^@(aws-sdk|smithy)\//.test(imported) && !sdkUsers.test(file)) ||
          (/^(aws-cdk-lib|constructs)\b/.test(imported) && !/^(lib|bin)\//.test(file)),
      )
      .map((imported) => `${file} imports ${imported}`),
  );
  expect(wrong).toEqual([]);
});

/** Lambda calls handlers, Node starts commands, and the bundles replace the SDK's defaultProvider. */
const entryPoints = ["handler", "main", "defaultProvider"];

test("a file exports only what other files use, besides the entry points of functions and commands", () => {
  const texts = globSync("{functions,packages,lib,local,bin,cli,bench,test}/**/*.{ts,tsx}", {
    exclude: ["**/node_modules/**"],
  }).map((file) => ({ file, words: new Set(readFileSync(file, "utf8").match(/\w+/g)) }));
  const unused = files.flatMap((file) => {
    const { staticExports } = parseSync(file, readFileSync(file, "utf8")).module;
    return staticExports
      .flatMap(({ entries }) => entries.flatMap(({ exportName }) => exportName.name ?? []))
      .filter((name) => !entryPoints.includes(name))
      .filter((name) => !texts.some((other) => other.file !== file && other.words.has(name)))
      .map((name) => `${file} exports ${name}`);
  });
  expect(unused).toEqual([]);
});

test("no comment begins as a relative clause", () => {
  const clause = /^\s*(\/\*\*|\*|\/\/) (What|How|Whether|Of|By|Those|When|Until|Who)\b/m;
  const tests = globSync("{test,packages/*/test}/**/*.ts", { exclude: ["**/node_modules/**"] });
  assert.deepEqual(
    [...files, ...tests].filter((file) => clause.test(readFileSync(file, "utf8"))),
    [],
  );
});
