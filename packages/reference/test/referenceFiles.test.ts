import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { readdirSync } from "node:fs";
import { createServer } from "node:http";
import { text } from "node:stream/consumers";
import { gzipSync } from "node:zlib";
import { describe, expect, test } from "@jest/globals";
import { openApiDocument } from "../../../functions/api/openapi/document.ts";
import { endpoints } from "../../../functions/endpoints/index.ts";
import { referenceSite } from "../../../lib/website/sites.ts";
import packageJson from "../../../package.json" with { type: "json" };
import { listen } from "../../../test/support/http/listen.ts";
import { guideFiles, guideTexts, section } from "../guides.ts";
import { html } from "../html.ts";
import { referenceContentSecurityPolicy } from "../referenceFiles.ts";
import { requestOf, samples } from "../samples.js";

const files = new Map(referenceSite().map((file) => [file.path, file]));

function textOf(path: string): string {
  const file = files.get(path);
  assert.ok(file, `${path} is not among the website's files`);
  return file.body.toString();
}

describe("the OpenAPI document", () => {
  test("is on the page: each operation, parameter, schema and member", () => {
    const page = textOf("/docs");
    const { paths } = openApiDocument(endpoints, { version: packageJson.version });
    const { components } = JSON.parse(textOf("/openapi.json"));
    for (const { operationId, summary } of endpoints) {
      assert.ok(page.includes(`<section id="${operationId}"`), operationId);
      assert.ok(page.includes(html`<a href="#${operationId}">${summary}</a>`.text), summary);
    }
    for (const [name, schema] of Object.entries(components.schemas)) {
      const [, section = ""] = page.split(`<section id="schema/${name}"`);
      for (const member of Object.keys(Object(schema).properties ?? {}))
        assert.ok(section.split("</section>")[0]?.includes(`<code>${member}</code>`), `${name}.${member}`);
    }
    assert.match(page, /<code>note<\/code> <span class="type">[^<]* or null, optional<\/span>/);
    assert.match(page, /<code>id<\/code> <span class="type">[^<]*[^l]<\/span>/);
    const parameters = Object.values(paths).flatMap((item) => Object.values(item).flatMap((one) => one.parameters));
    for (const { name } of parameters) assert.ok(page.includes(`<dt><code>${name}</code>`), name);
    assert.doesNotMatch(page, /href="(?!\/docs\/)[^"#:]*\.md/);
    for (const [, id = ""] of page.matchAll(/href="#([^"]+)"/g)) assert.ok(page.includes(`id="${id}"`), id);
  });
});

/** The part of the page from the section with this id to the next section. */
function sectionOf(id: string, page = textOf("/docs")): string {
  const [, rest = assert.fail(id)] = page.split(`<section id="${id}"`);
  return rest.split("<section")[0] ?? "";
}

describe("a section of the page", () => {
  test("shows each message of webhooks, with its fields and an example", () => {
    const { webhooks } = openApiDocument(endpoints, { version: "1" });
    assert.deepEqual(Object.keys(webhooks), ["changes", "restart", "test"]);
    for (const [type, { post }] of Object.entries(webhooks)) {
      const { schema, example } = post.requestBody.content["application/json"];
      const shown = sectionOf(`message/${type}`);
      for (const name of Object.keys(schema.properties ?? {})) assert.ok(shown.includes(`<dt><code>${name}</code>`));
      assert.ok(shown.includes(html`<code>${JSON.stringify(example, null, 2)}</code>`.text), type);
    }
    assert.match(sectionOf("message/changes"), /<code>event_id<\/code>.*108427526232226/s);
  });

  test("has samples with the credential that the operation takes, and the service's address", () => {
    const site = referenceSite({ baseUrl: "https://api.example.org" });
    const page = String(site.find(({ path }) => path === "/docs")?.body);
    for (const { operationId, path, caller } of endpoints) {
      const samples = sectionOf(operationId, page);
      const [right, wrong] = caller.scheme === "apiKey" ? ["API_KEY", "ID_TOKEN"] : ["ID_TOKEN", "API_KEY"];
      assert.ok(samples.includes(`Bearer $${right}`) && !samples.includes(wrong), operationId);
      assert.ok(samples.includes(`https://api.example.org${path.replaceAll("{id}", "ID")}`), operationId);
    }
    assert.doesNotMatch(page, /API_ADDRESS|https:\/\/…/);
    assert.match(page, /export BASE_URL=https:\/\/api\.example\.org$/m);
  });
});

describe("the samples", () => {
  const commands = { curl: ["sh"], JavaScript: ["node", "--input-type=module"], Python: ["python3"] };

  test.each([
    `{"note":"it's \\"$HOME\\" \\\\ \\n \`id\` é 🎟"}`,
    '{\n  "id": 12345678901234567890\n}',
    "@package.json",
    '{"a": """ \\',
  ])("are programs that send what is entered: %s", async (body) => {
    const received: unknown[] = [];
    const server = createServer(async (request, response) => {
      received.push([request.method, request.url, request.headers["if-match"], await text(request)]);
      response.end();
    });
    const address = await listen(server);
    const parameters = [
      { name: "id", in: "path", isRequired: true, value: "a/b 'c' $d" },
      { name: "q", in: "query", isRequired: false, value: 'a&b="{c}" é' },
      { name: "If-Match", in: "header", isRequired: false, value: `"it's \\ $HOME"` },
    ];
    const request = requestOf({ address, method: "PATCH", path: "/{id}", parameters, body });
    const sent = ["PATCH", request.url.slice(address.length), `"it's \\ $HOME"`, body];
    for (const [language, [command = "", ...options]] of Object.entries(commands)) {
      const child = spawn(command, options, { env: { ...process.env, API_KEY: "tsk_" } });
      child.stdin.end(samples[language]?.(request, "API_KEY"));
      await once(child, "close");
      expect([language, received.pop()]).toEqual([language, sent]);
    }
  });
});

describe("the support contact", () => {
  const pageWith = (contact?: string) =>
    referenceSite({ supportContact: contact })
      .find(({ path }) => path === "/docs")
      ?.body.toString();

  test("is at the top of the page and in the document: an address or a page", () => {
    for (const [contact, link, fields] of [
      ["help@example.org", 'href="mailto:help@example.org"', { email: "help@example.org" }],
      [
        "https://example.org/help?a=1&b",
        'href="https://example.org/help?a=1&amp;b"',
        { url: "https://example.org/help?a=1&b" },
      ],
    ] as const) {
      const [head = ""] = pageWith(contact)?.split('<section id="description/basics"') ?? [];
      assert.ok(head.includes(link), head.slice(-300));
      const { info } = openApiDocument(endpoints, { version: "1", supportContact: contact });
      assert.deepEqual(info.contact, { name: "Support", ...fields });
    }
    assert.doesNotMatch(pageWith() ?? "", /mailto:/);
  });
});

describe("the reference page", () => {
  test("loads only the website's files, and links to its pages or to sections", () => {
    const page = textOf("/docs");
    const loaded = [...page.matchAll(/<(?:link|script|img)[^>]* (?:src|href)="([^"]*)"/g)].map(([, path = ""]) => path);
    assert.ok(loaded.length >= 4);
    for (const path of loaded) assert.ok(files.has(path), path);
    const linked = [...page.matchAll(/<a [^>]*href="(\/[^"]*)"/g)].map(([, path = ""]) => path);
    assert.deepEqual(new Set(linked), new Set(["/developer", "/docs/http-contract.md", "/openapi.json"]));
  });

  test("weighs at most 100 KB compressed, with everything that it loads but the fonts", () => {
    const loaded = [...files.keys()].filter((path) => /^\/docs($|\/.*\.(js|css|svg)$)/.test(path));
    assert.equal(loaded.length, 6);
    const bytes = loaded.reduce((sum, path) => sum + gzipSync(textOf(path)).length, 0);
    assert.ok(bytes <= 100_000, `${bytes} bytes`);
  });

  test("has a policy that forbids other origins, and inline scripts and styles", () => {
    const sources = referenceContentSecurityPolicy.split("; ").flatMap((directive) => directive.split(" ").slice(1));
    assert.deepEqual([...new Set(sources)].sort(), ["'none'", "'self'", "data:"]);
    assert.match(referenceContentSecurityPolicy, /^default-src 'none'; script-src 'self';/);
    // These do not fall back to default-src.
    for (const name of ["base-uri", "form-action", "frame-ancestors"])
      assert.ok(referenceContentSecurityPolicy.includes(`; ${name} 'none'`), name);
  });
});

const integrators = new URL("../../../docs/integrators/", import.meta.url);

describe("the guides on the reference page", () => {
  test("are all guides", () => {
    const onPage = guideFiles.filter((file) => file.startsWith("guides/"));
    const guides = readdirSync(new URL("guides/", integrators)).map((name) => `guides/${name}`);
    expect(onPage.sort()).toEqual(guides.sort());
  });
});

describe("the files for programs that read documentation", () => {
  test("are the guides as Markdown, whose links lead to each other", () => {
    for (const { path, title } of guideTexts()) {
      const text = textOf(path);
      assert.ok(text.startsWith(`# ${title}\n`));
      for (const [, link = ""] of text.matchAll(/\]\(([^):]+)\)/g))
        assert.ok(
          files.has(link) || ["/developer", "/docs"].includes(link) || link.startsWith("#"),
          `${path}: ${link}`,
        );
      assert.match(files.get(path)?.contentType ?? "", /^text\/markdown/);
    }
  });

  test("include the HTTP contract, to which the page leads, and the Developer area without pictures", () => {
    assert.match(textOf("/docs/http-contract.md"), /^# The HTTP contract\n/i);
    assert.ok(textOf("/docs").includes('href="/docs/http-contract.md"'));
    assert.match(textOf("/docs/developer-area.md"), /\*\*Failures\*\* lists/);
    assert.ok(!textOf("/docs/developer-area.md").includes("!["));
  });

  test("are listed in /llms.txt, with the OpenAPI document", () => {
    const links = [...textOf("/llms.txt").matchAll(/\]\((\/[^)]*)\)/g)].map(([, path = ""]) => path);
    const texts = [...files.keys()].filter((path) => path.startsWith("/docs/") && path.endsWith(".md"));
    assert.deepEqual(links, [
      "/openapi/v1.json",
      "/docs/basics.md",
      "/docs/http-contract.md",
      "/docs/summaries.md",
      ...texts,
    ]);
    assert.ok(guideTexts().every(({ path }) => texts.includes(path)));
    for (const path of links) assert.ok(files.has(path), path);
  });
});

describe("a text of the document", () => {
  test("cannot add markup to the page", () => {
    const text = `<script>alert("1" & '2')</script>`;
    assert.equal(
      html`<p>${text}</p>`.text,
      "<p>&lt;script&gt;alert(&quot;1&quot; &amp; &#39;2&#39;)&lt;/script&gt;</p>",
    );
  });
});

describe("a guide as a section", () => {
  test("has its examples apart, under their languages, whichever they are", () => {
    const [first, second] = ["```sh\nls\n```", "A store.\n\n```lisp\n(ls)\n```"];
    const guide = `# Colours\n\n## Shades\n\nMany.\n\n## curl\n\n${first}\n\n## Lisp\n\n${second}\n`;
    const { text, examples } = section(guide, "colours");
    assert.equal(text, "\n### Shades\n\nMany.\n\n");
    assert.deepEqual(examples, [
      { title: "curl", text: `\n${first}` },
      { title: "Lisp", text: `\n${second}` },
    ]);
  });

  test("cannot link to a document that is not on the page", () => {
    assert.throws(() => section("[Elsewhere](../elsewhere.md)", "colours"), /no section for \.\.\/elsewhere\.md/);
  });
});
