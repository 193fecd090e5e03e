import { readFileSync } from "node:fs";
import { basename } from "node:path";
import { Marked } from "marked";
import { Html, heading, html, tabs } from "./html.ts";

const folder = new URL("../../docs/integrators/", import.meta.url);

/** The sections of the reference page above its operations, in order. */
export const guideFiles = [
  "guides/basics.md",
  "guides/incremental-sync.md",
  "guides/tables-and-pipelines.md",
  "guides/webhooks.md",
  "guides/automation.md",
  "guides/door-scanning.md",
  "guides/calendars.md",
  "guides/summaries.md",
  "guides/accounting.md",
  "guides/mailing.md",
  "guides/assistants.md",
  "guides/writes.md",
  "guides/errors-and-retries.md",
  "clients.md",
  "../../CHANGELOG.md",
];

/** Where links to documents lead, by file name. */
const targets = new Map([
  ...guideFiles.map((file) => [basename(file), `#${idOf(file)}`] as const),
  ["http-contract.md", "/docs/http-contract.md"],
  ["developer-area.md", "/developer"],
]);

export interface Guide {
  id: string;
  title: string;
  content: Html;
}

/** @param address replaces the guides' placeholder for the service's address. */
export function guides(address: string): Guide[] {
  return guideFiles.map((file) => {
    const id = idOf(file);
    const { title, text, examples } = section(readFileSync(new URL(file, folder), "utf8"), id);
    const content = (markdown: string) => guideHtml(markdown.replaceAll("https://…", address), id);
    const shown = examples.map(({ title, text }) => ({ title, content: content(text), id: `${id}/${slug(title)}` }));
    const aside =
      examples.length > 0 && html`<aside aria-label="Examples: ${title}">${tabs(`example-${id}`, shown)}</aside>`;
    return {
      id,
      title,
      content: html`<div>${heading(2, id, title)}
${content(text)}</div>${aside}`,
    };
  });
}

/** These are only texts: the page's operations show the same, and people open the Developer area itself. */
const textFiles = ["http-contract.md", "developer-area.md"];

/** The clients, whose READMEs are Markdown files like the guides. People find them in the packages. */
const clients = ["client-typescript", "client-python"];

/** The guides as Markdown files at `/docs/basics.md`, for programs that read documentation. */
export function guideTexts(): { path: string; title: string; text: string }[] {
  const files = [
    ...[...guideFiles, ...textFiles].map((file) => ({ file, path: pathOf(file) })),
    ...clients.map((name) => ({ file: `../../packages/${name}/README.md`, path: `/docs/${name}.md` })),
  ];
  return files.map(({ file, path }) => {
    const text = readFileSync(new URL(file, folder), "utf8");
    const linked = linksReplaced(withoutPictures(text), (path, anchor) => (path === "" ? `#${anchor}` : pathOf(path)));
    return { path, title: titleOf(text), text: linked };
  });
}

function withoutPictures(markdown: string): string {
  return markdown.replaceAll(/^!\[.*\]\(.*\)\n+/gm, "");
}

function pathOf(file: string): string {
  return `/docs/${basename(file).toLowerCase()}`;
}

function titleOf(text: string): string {
  const [, title = ""] = /^# (.*)$/m.exec(text) ?? [];
  return title;
}

function linksReplaced(text: string, targetOf: (path: string, anchor: string) => string): string {
  return text.replaceAll(
    /\]\((?:([^):#]+\.md)|(?=#))(?:#([^)]*))?\)/g,
    (_link, path = "", anchor = "") => `](${targetOf(path, anchor)})`,
  );
}

function idOf(file: string): string {
  return `description/${basename(file, ".md").toLowerCase()}`;
}

/** As on GitHub. */
function slug(heading: string): string {
  return heading
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\s_-]/gu, "")
    .replaceAll(" ", "-");
}

/** Markdown as HTML. Each heading is a link to itself. */
function guideHtml(text: string, id: string): Html {
  const marked = new Marked({
    renderer: {
      heading({ text, tokens, depth }) {
        const anchor = `${id}/${slug(text)}`;
        const title = this.parser.parseInline(tokens);
        return `<h${depth} id="${anchor}"><a class="permalink" href="#${anchor}">${title}</a></h${depth}>\n`;
      },
    },
  });
  return new Html(marked.parse(text, { async: false }));
}

/**
 * A guide as a section of the page, in Markdown: its text has headings one level lower, its examples have languages as titles, and its links
 * lead to other sections.
 * @throws Error if it links to a document that is not on the page.
 */
export function section(guide: string, id: string) {
  const title = titleOf(guide);
  const parts = guide.replace(/^# .*\n/, "").split(/^(?=## )/m);
  const examples = parts.filter(isExample).map((part) => {
    const [heading = "", ...lines] = part.trim().split("\n");
    return { title: heading.replace("## ", ""), text: moved(lines.join("\n"), id) };
  });
  return { title, text: moved(parts.filter((part) => !isExample(part)).join(""), id), examples };
}

/** A part with a heading that ends with code is an example, and its heading the language. */
function isExample(part: string): boolean {
  return part.startsWith("## ") && part.trimEnd().endsWith("\n```");
}

/** Lowers headings and replaces links, except in code. */
function moved(markdown: string, id: string): string {
  // Because of the capturing group, every second text is code.
  const texts = markdown.split(/(^```.*?^```$)/ms);
  return texts
    .map((text, index) =>
      index % 2 === 1
        ? text
        : linksReplaced(text.replaceAll(/^#+ /gm, "#$&"), (path, anchor) => targetOf(path, anchor, id)),
    )
    .join("");
}

function targetOf(path: string, anchor: string, id: string): string {
  const target = path === "" ? `#${id}` : targets.get(basename(path));
  if (target === undefined) throw new Error(`The reference page has no section for ${path}.`);
  return anchor === "" || target === "/developer" ? target : `${target}/${anchor}`;
}
