import assert from "node:assert/strict";
import { readdirSync } from "node:fs";
import { describe, expect, test } from "@jest/globals";
import { guideFiles, guides, section } from "../../../web/reference/guides.ts";

const integrators = new URL("../../../docs/integrators/", import.meta.url);

describe("the guides on the reference page", () => {
  const markdown = guides();
  const headings = [...markdown.replaceAll(/^```.*?^```$/gms, "").matchAll(/^(#+) (.*)$/gm)];

  test("are all guides", () => {
    const onPage = guideFiles.filter((file) => file.startsWith("guides/"));
    const guides = readdirSync(new URL("guides/", integrators)).map((name) => `guides/${name}`);
    expect(onPage.sort()).toEqual(guides.sort());
  });

  test("are sections whose ids are their files' names, as the links between them assume", () => {
    const titles = headings.filter(([, level]) => level === "##").map(([, , title = ""]) => title);
    const names = titles.map((title) => title.toLowerCase().replaceAll(" ", "-"));
    assert.deepEqual(
      guideFiles.map((file) => file.replace(/^.*\//, "").toLowerCase()),
      names.map((name) => `${name}.md`),
    );
  });

  test("have no two headings with the same text, of which Scalar would make the same id", () => {
    const texts = headings.map(([, , text]) => text);
    assert.deepEqual(texts, [...new Set(texts)]);
  });
});

describe("a guide as a section", () => {
  test("has its headings one level lower, but the same code", () => {
    const guide = "# Colours\n\n```sh\n# A comment.\n```\n\n## Shades\n\nMany.\n";
    assert.equal(section(guide), "## Colours\n\n```sh\n# A comment.\n```\n\n### Shades\n\nMany.\n");
  });

  test("has its examples folded under their languages, whichever they are, and the first one open", () => {
    const [first, second] = ["```sh\nls\n```\n", "A store.\n\n```lisp\n(ls)\n```\n"];
    assert.equal(
      section(`# Colours\n\n## Shades\n\nMany.\n\n## curl\n\n${first}\n## Lisp\n\n${second}`),
      [
        "## Colours\n\n### Shades\n\nMany.\n",
        `<details open>\n<summary>curl</summary>\n\n${first}\n</details>\n`,
        `<details>\n<summary>Lisp</summary>\n\n${second}\n</details>\n\n`,
      ].join("\n"),
    );
  });

  test("links to other sections and to the website's pages", () => {
    const guide = "[Sync](incremental-sync.md), [area](../developer-area.md), [RFC](https://example.org/a.md)";
    assert.equal(
      section(guide),
      "[Sync](#description/incremental-sync), [area](/developer), [RFC](https://example.org/a.md)",
    );
  });

  test("cannot link to a document that is not on the page", () => {
    assert.throws(() => section("[Elsewhere](../elsewhere.md)"), /no section for \.\.\/elsewhere\.md/);
  });
});
