import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { expect, test } from "@jest/globals";
import { cents, sections, totalOf } from "../../../cli/costs/monthlyCosts.ts";
import { runProgram } from "../support/runProgram.ts";

const page = readFileSync("docs/operators/cost.md", "utf8");

/** The cells of each line of the page's tables. */
const rows = page.split("\n").map((line) =>
  line
    .split("|")
    .slice(1, -1)
    .map((cell) => cell.replaceAll("**", "").replace("−", "-").trim()),
);

const costs = (commandLine: string) => runProgram("costs", commandLine.split(" ").filter(Boolean));

/** The lines that the command prints. */
async function printed(commandLine: string) {
  const { code, stdout, stderr } = await costs(commandLine);
  assert.deepEqual([code, stderr], [0, ""]);
  const lines = stdout.trimEnd().split("\n").slice(1);
  return lines.map((line) => line.split(/ {2,}/));
}

test.each(Object.entries(sections))("the page has the command's lines and total of %s", (name, columns) => {
  const end = rows.findIndex(([first]) => first === name);
  for (const [column, lines] of columns.entries()) {
    const header = rows[end - lines.length - 2] ?? [];
    const cell = header.flatMap((title, index) => (title.startsWith("US$") ? index : []))[column] ?? -1;
    const found = rows.slice(end - lines.length, end + 1).map((row) => row[cell]);
    expect(found).toEqual(
      [...lines.map(cents), totalOf(name as keyof typeof sections, column)].map((us) => us.toFixed(2)),
    );
  }
});

test("the page's three months of a stage are what the command prints", async () => {
  const months = await Promise.all(
    ["--organisations 10 --requests 1", "--organisations 100", "--organisations 500 --requests 300"].map(printed),
  );
  const totals = months.map((lines) => Math.round(Number(lines.at(-1)?.at(-1)?.replace(",", ""))).toLocaleString("en"));
  const [one, thirty, threeHundred] = totals;
  assert.ok(
    page.includes(`US$ ${one} a month at 1 request a second, US$ ${thirty} at 30 and US$ ${threeHundred} at 300`),
  );
  const names = new Set(months.flat().flatMap(([name = ""]) => (name === "a month" ? [] : name)));
  const expected = [...names].map((name) => {
    const lines = months.map((month) => month.find(([first]) => first === name) ?? ["", "", "", ""]);
    const price = lines.find(([first]) => first)?.[2];
    return [name, price, ...lines.flatMap(([, quantity, , dollars]) => [quantity, dollars])];
  });
  const end = rows.findIndex(([first]) => first === "a month");
  expect(rows.slice(end - names.size, end).toSorted()).toEqual(expected.toSorted());
  expect(rows[end]?.filter((cell) => /\d/.test(cell))).toEqual(totals);
});

test("webhooks cost what they send, at most with one message in a batch", async () => {
  const webhooks = "--organisations 10000 --webhooks 20 --messages 1000 --time-outs 100";
  const linesOf = async (commandLine: string) =>
    (await printed(commandLine)).filter(([name]) => /webhooks|messages|time-outs/.test(name ?? ""));
  expect(await linesOf(webhooks)).toEqual([
    ["million webhooks", "0.2", "5.20", "1.0"],
    ["million messages", "10", "13.01", "130.1"],
    ["million time-outs", "1", "239.69", "239.7"],
  ]);
  expect((await linesOf(`${webhooks} --together`)).map((line) => line.at(-1))).toEqual(["1.0", "80.0", "10.0"]);
});

test("every amount is printed in proportion to its option", async () => {
  const options = { requests: 8, keys: 3, items: 5_000_000, records: 0.5 };
  const commandLine = Object.entries(options).map(([name, value]) => `--${name} ${value}`);
  const lines = await printed(`--organisations 4 ${commandLine.join(" ")}`);
  const quantities = Object.fromEntries(lines.map(([name, quantity]) => [name, quantity]));
  expect(quantities).toMatchObject({
    "million requests": "21.02",
    "million records of the feed": "10.51",
    "million items": "20",
    "hundred API keys in use": "0.12",
    "shards of the stream": "4",
  });
});

test.each([
  ["", "--organisations must be a number."],
  ["--organisations 0", "--organisations must be positive."],
  ["--organisations 1.5", "--organisations must be a whole number."],
  ["--organisations 1 --requests=-1", "--requests is negative."],
  ["--organisations 1 --items many", "--items must be a number."],
])("the command rejects %p", async (commandLine, message) => {
  const { code, stdout, stderr } = await costs(commandLine);
  assert.deepEqual([code, stdout, stderr], [2, "", `${message} See npm run ops -- costs --help.\n`]);
});
