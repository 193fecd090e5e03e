import { readdir, readFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { expect, test } from "@jest/globals";
import { clients } from "./clients.ts";

const page = resolve(import.meta.dirname, "../../docs/integrators/clients.md");

const tested = new Set<string>();
for (const { folder } of clients) {
  const directory = join(import.meta.dirname, folder);
  for (const file of await readdir(directory))
    for (const line of await linesOf(join(directory, file))) tested.add(line);
}

test("the commands, settings and examples for generated clients are the tested ones", async () => {
  const sections = (await readFile(page, "utf8"))
    .split(/^(?=## )/m)
    .filter((text) => /^## (Java|Go|Python)$/m.test(text));
  const blocks = [...sections.join("").matchAll(/^```\w+\n(.*?)^```$/gms)].map(([, code = ""]) => code);
  expect(blocks).toHaveLength(3 * clients.length);
  expect(blocks.flatMap((block) => block.split("\n")).filter((line) => !tested.has(line))).toEqual([]);
});

test("the commands that install generators and clients are the tested ones", async () => {
  const printed = (await readFile(page, "utf8")).match(/(?<=`)(npm|pip) install [^`]+/g);
  const pins = await linesOf(join(import.meta.dirname, "requirements.txt"));
  const readmes = ["typescript", "python"].map((name) => resolve(page, `../../../packages/client-${name}/README.md`));
  const lines = [...pins.map((pin) => `pip install ${pin}`), ...(await Promise.all(readmes.map(linesOf))).flat()];
  expect(printed).toHaveLength(4);
  expect(printed?.filter((command) => !tested.has(command) && !lines.includes(command))).toEqual([]);
});

async function linesOf(file: string): Promise<string[]> {
  return (await readFile(file, "utf8")).split("\n");
}
