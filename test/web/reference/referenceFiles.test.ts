import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { describe, expect, test } from "@jest/globals";
import { openApiDocument } from "../../../functions/api/openapi/document.ts";
import { endpoints } from "../../../functions/endpoints/index.ts";
import packageJson from "../../../package.json" with { type: "json" };
import { guideFiles, guides, section } from "../../../web/reference/guides.ts";
import { referenceContentSecurityPolicy, referenceFiles } from "../../../web/reference/referenceFiles.ts";

const files = new Map(referenceFiles().map((file) => [file.path, file]));
const origin = "https://website.example";

function textOf(path: string): string {
  const file = files.get(path);
  assert.ok(file, `${path} is not among the website's files`);
  return file.body.toString();
}

describe("the OpenAPI document", () => {
  test("describes the declared endpoints, with the package's version", () => {
    const { version } = packageJson;
    assert.deepEqual(
      JSON.parse(textOf("/openapi.json")),
      JSON.parse(JSON.stringify(openApiDocument(endpoints, { version }))),
    );
  });

  test("is shown on the page, described by the guides instead of for code generators", () => {
    assert.match(textOf("/docs/reference.js"), /url: "\/docs\/reference\.json"/);
    const { info, ...shown } = JSON.parse(textOf("/docs/reference.json"));
    const { info: ownInfo, externalDocs, ...own } = JSON.parse(textOf("/openapi.json"));
    assert.deepEqual(shown, own);
    const { "x-scalar-links": links, ...shownInfo } = info;
    assert.deepEqual(shownInfo, { ...ownInfo, description: guides() });
    assert.deepEqual(
      links.map(({ url }: { url: string }) => url),
      ["/developer", "/openapi.json"],
    );
    assert.equal(externalDocs.url, "/docs");
  });
});

describe("the reference page", () => {
  test("only refers to the website's files", () => {
    const references = [...textOf("/docs").matchAll(/(?:src|href)="([^"]*)"/g)].map(([, reference = ""]) => reference);
    assert.ok(references.length >= 4);
    for (const reference of references) {
      const url = new URL(reference, `${origin}/docs`);
      assert.equal(url.origin, origin);
      assert.ok(files.has(url.pathname), reference);
    }
  });

  test("has no inline scripts, styles and handlers", () => {
    assert.doesNotMatch(textOf("/docs"), /<script(?![^>]*\ssrc=)|<style|\sstyle=|\son[a-z]+=|javascript:/i);
  });

  test("has every module that its modules import", () => {
    const imported = new Set(["/docs/reference.js"]);
    for (const path of imported) {
      for (const [, , module = ""] of textOf(path).matchAll(/(from|import\(?)\s*["'`](\.{1,2}\/[^"'`]+\.js)["'`]/g)) {
        imported.add(new URL(module, `${origin}${path}`).pathname);
      }
    }
    assert.ok(imported.size > 10);
    assert.deepEqual(
      [...imported].filter((path) => !files.has(path)),
      [],
    );
  });

  test("needs only Scalar's bundle: Scalar's dependencies are not installed", () => {
    const { dependencies } = JSON.parse(
      readFileSync(new URL("../package.json", import.meta.resolve("@scalar/api-reference")), "utf8"),
    );
    const overrides = packageJson.overrides["@scalar/api-reference"];
    assert.deepEqual(Object.keys(overrides).sort(), Object.keys(dependencies).sort());
    assert.deepEqual([...new Set(Object.values(overrides))], ["npm:empty-npm-package@1.0.0"]);
  });

  test("lets browsers cache a file permanently only if its name has a hash of its content", () => {
    for (const { path, cacheControl } of files.values()) {
      const isHashed = /\/chunks\/.+-[\w-]{8}\.js$/.test(path);
      assert.equal(cacheControl, isHashed ? "public, max-age=31536000, immutable" : "public, no-cache", path);
    }
  });

  test("has a policy that forbids other origins and inline scripts", () => {
    const sources = referenceContentSecurityPolicy.split("; ").flatMap((directive) => directive.split(" ").slice(1));
    assert.deepEqual([...new Set(sources)].sort(), ["'none'", "'self'", "'unsafe-inline'", "data:"]);
    assert.match(referenceContentSecurityPolicy, /^default-src 'none'; script-src 'self';/);
  });
});

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
