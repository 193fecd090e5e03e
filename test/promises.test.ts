import assert from "node:assert/strict";
import { globSync, readFileSync } from "node:fs";
import { expect, test } from "@jest/globals";

interface Row {
  source: string;
  /** Words of the source, exactly. */
  quote: string;
  /** A test, as its file and the beginning of its title, or why there is none. */
  holder: string;
}

const rows: Row[] = readFileSync("test/promises.md", "utf8")
  .split(/^## /m)
  .slice(1)
  .flatMap((section) => {
    const [source = "", ...lines] = section.split("\n");
    const cells = lines.filter((line) => /^\| (?!words )/.test(line)).map((line) => line.slice(2, -2).split(" | "));
    return cells.map(([quote = "", holder = ""]) => ({ source, quote, holder }));
  });

/** Quotes and titles may continue on the next line. */
const textOf = (file: string) => readFileSync(file, "utf8").replaceAll(/\s+/g, " ");

test("every promise is in its source as it is quoted", () => {
  assert.ok(rows.length > 100);
  expect(rows.filter(({ source, quote }) => quote === "" || !textOf(source).includes(quote))).toEqual([]);
});

test("every promise names a test that exists, or says why it has none", () => {
  const isHeld = ({ holder }: Row) => {
    const [, file, title] = /^`(.+?)`: (.+)$/.exec(holder) ?? [];
    if (file === undefined || title === undefined) return /^(No test|No promise): ./.test(holder);
    const text = textOf(file);
    return text.includes(`"${title}`) || text.includes(`\`${title}`);
  };
  expect(rows.filter((row) => !isHeld(row))).toEqual([]);
});

const words = new RegExp(
  [
    /\b(never|always|at once|nothing|missed|at most|at least|exactly|once only|only once|recorded once|kept for|forgotten)\b/,
    /\b(within seconds|([\d,]+|five|seven|ten|twelve) (seconds|minutes|hours|days|months|years))\b/,
  ]
    .map(({ source }) => source)
    .join("|"),
  "gi",
);

test("whatever sounds like a promise in the guides and the HTTP contract is in the index", () => {
  const missing = globSync("docs/integrators/{guides/*,http-contract}.md").flatMap((page) => {
    let text = readFileSync(page, "utf8")
      .replaceAll(/^ *```[\s\S]*?^ *```$/gm, "")
      .replaceAll(/\s+/g, " ");
    for (const { source, quote } of rows) if (source === page) text = text.replaceAll(quote, "…");
    return [...text.matchAll(words)].map(({ index }) => `${page}: ${text.slice(Math.max(0, index - 60), index + 60)}`);
  });
  expect(missing).toEqual([]);
});
