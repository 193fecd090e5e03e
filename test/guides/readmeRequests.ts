import assert from "node:assert/strict";
import { exec } from "node:child_process";
import { readFile } from "node:fs/promises";
import { promisify } from "node:util";
import { describe, test } from "@jest/globals";
import type { ServiceDescription } from "../../local/localService.ts";
import { integratorEnvironment } from "./guideExamples.ts";

const readme = await readFile(new URL("../../README.md", import.meta.url), "utf8");

/** Each curl command of the README's console blocks, with the output that it shows. */
const commands = [...readme.matchAll(/```console\n([^`]+)```/g)].flatMap(([, block = ""]) =>
  block
    .split(/^\$ /m)
    .slice(1)
    .map((text) => {
      const [command = "", ...output] = text.trimEnd().split("\n");
      return { command, output: output.join("\n") };
    }),
);

/** In the README, … replaces parts that differ each time. The order of headers does not matter. */
function assertShown(actual: string, shown: string): void {
  const expected = shown.split("\n").filter((line) => line !== "" && line !== "…");
  for (const line of expected) {
    const pattern = line.split("…").map(escapeRegExp).join(".*");
    assert.match(actual, new RegExp(`^${pattern}$`, "im"));
  }
}

function escapeRegExp(text: string): string {
  return text.replaceAll(/[.*+?^${}()|[\]\\]/g, "\\$&");
}

/** Declares the tests of the README's requests to a service with demo data. */
export function testReadme({ base_url: BASE_URL, organisations }: ServiceDescription): void {
  describe("README", () => {
    test("has commands with their output", () => assert.ok(commands.length >= 4));

    for (const { command, output } of commands) {
      test(`shows the service's response to: ${command}`, async () => {
        const key = organisations[0]?.keys.find(({ name }) => name === "All scopes")?.key;
        const env = { ...integratorEnvironment, BASE_URL, API_KEY: key };
        assertShown((await promisify(exec)(command, { env })).stdout, output);
      });
    }
  });
}
