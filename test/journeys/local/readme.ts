import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { describe, test } from "@jest/globals";
import { baseUrl, localService } from "../../support/service/journeyService.ts";

const readme = await readFile(new URL("../../../README.md", import.meta.url), "utf8");

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

/** Returns what curl would print, without needing curl. */
async function run(command: string): Promise<string> {
  const key = localService?.description.organisations[0]?.keys[0]?.key ?? "";
  const text = command.replaceAll("$BASE", baseUrl).replaceAll("$KEY", key);
  const [url = ""] = /http\S+?(?="?$)/.exec(text) ?? [];
  const headers = [...text.matchAll(/-H "([^:]+): ([^"]+)"/g)].map(
    ([, name = "", value = ""]) => [name, value] as const,
  );
  const response = await fetch(url, { headers: Object.fromEntries(headers) });
  const head = [
    `HTTP/1.1 ${response.status} ${response.statusText}`,
    ...[...response.headers].map((line) => line.join(": ")),
  ];
  const body = await response.text();
  return command.includes(" -i ") ? `${head.join("\n")}\n\n${body}` : body;
}

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

describe("README", () => {
  test("has commands with their output", () => assert.ok(commands.length >= 4));

  for (const { command, output } of commands) {
    test(`shows the service's response to: ${command}`, async () => assertShown(await run(command), output));
  }
});
