import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { test } from "@jest/globals";

const pages = execFileSync("git", ["ls-files", "*.md"], { encoding: "utf8" }).trim().split("\n");

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
  const broken = pages.flatMap((page) =>
    linksOf(page)
      .filter((target) => isBroken(page, target))
      .map((target) => `${page}: ${target}`),
  );
  assert.deepEqual(broken, []);
  assert.ok(pages.flatMap(linksOf).length > 50);
});
