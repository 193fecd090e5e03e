import { readdir, readFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { expect, test } from "@jest/globals";
import { clients } from "./clients.ts";

const page = resolve(import.meta.dirname, "../../docs/integrators/generated-clients.md");

test("the commands, settings and examples for generated clients are the tested ones", async () => {
  const tested = new Set<string>();
  for (const { folder } of clients) {
    const directory = join(import.meta.dirname, folder);
    for (const file of await readdir(directory))
      for (const line of await linesOf(join(directory, file))) tested.add(line);
  }
  const blocks = [...(await readFile(page, "utf8")).matchAll(/^```\w+\n(.*?)^```$/gms)].map(([, code = ""]) => code);
  expect(blocks).toHaveLength(3 * clients.length);
  expect(blocks.flatMap((block) => block.split("\n")).filter((line) => !tested.has(line))).toEqual([]);
});

test("the tested versions of the generators are in the documentation", async () => {
  const text = await readFile(page, "utf8");
  const pins = (await linesOf(join(import.meta.dirname, "requirements.txt"))).filter((line) =>
    line.startsWith("openapi-"),
  );
  expect(pins).toHaveLength(2);
  for (const pin of pins) expect(text).toContain(`pip install ${pin}`);
});

async function linesOf(file: string): Promise<string[]> {
  return (await readFile(file, "utf8")).split("\n");
}
