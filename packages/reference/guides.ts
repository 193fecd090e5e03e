import { readFileSync } from "node:fs";
import { basename } from "node:path";
import type { Html } from "./html.ts";
import { markdown } from "./schemas.ts";

const folder = new URL("../../docs/integrators/", import.meta.url);

/** The sections of the reference page above its operations, in order. */
export const guideFiles = [
  "guides/introduction.md",
  "guides/authentication.md",
  "guides/values.md",
  "guides/paging.md",
  "guides/incremental-sync.md",
  "guides/webhooks.md",
  "guides/door-scanning.md",
  "guides/idempotent-writes.md",
  "guides/conditional-updates.md",
  "guides/errors-and-retries.md",
  "guides/rate-limits.md",
  "guides/browsers.md",
  "guides/versioning.md",
  "generated-clients.md",
  "../../CHANGELOG.md",
];

/** Where links to documents lead, by file name. */
const targets = new Map([
  ...guideFiles.map((file) => [basename(file), `#${idOf(file)}`] as const),
  ["developer-area.md", "/developer"],
]);

export interface Guide {
  id: string;
  title: string;
  content: Html;
}

export function guides(): Guide[] {
  return guideFiles.map((file) => {
    const text = readFileSync(new URL(file, folder), "utf8");
    return { id: idOf(file), title: titleOf(text), content: markdown(section(text)) };
  });
}

/** The guides as Markdown files at `/docs/paging.md`, for programs that read documentation. */
export function guideTexts(): { path: string; title: string; text: string }[] {
  return guideFiles.map((file) => {
    const text = readFileSync(new URL(file, folder), "utf8");
    const linked = linksReplaced(text, (path) => (path.endsWith("developer-area.md") ? "/developer" : pathOf(path)));
    return { path: pathOf(file), title: titleOf(text), text: linked };
  });
}

function pathOf(file: string): string {
  return `/docs/${basename(file).toLowerCase()}`;
}

function titleOf(text: string): string {
  const [, title = ""] = /^# (.*)$/m.exec(text) ?? [];
  return title;
}

/** Links to documents lead to the beginning of their targets, because the targets' headings have no addresses. */
function linksReplaced(text: string, targetOf: (path: string) => string): string {
  return text.replaceAll(/\]\(([^):#]+\.md)(?:#[^)]*)?\)/g, (_link, path) => `](${targetOf(path)})`);
}

function idOf(file: string): string {
  return `description/${basename(file, ".md").toLowerCase()}`;
}

/**
 * A guide as a section of the page: its headings are one level lower, its examples are folded, and its links lead to other sections.
 * @throws Error if it links to a document that is not on the page.
 */
export function section(guide: string): string {
  const [beginning = "", ...parts] = guide.split(/^(?=## )/m);
  const examples = parts.filter(isExample);
  const rest = parts.map((part) => (isExample(part) ? folded(part, part === examples[0]) : part));
  // With the capturing group, every second text is code.
  const texts = [beginning, ...rest].join("").split(/(^```.*?^```$)/ms);
  return texts.map((text, index) => (index % 2 === 1 ? text : moved(text))).join("");
}

/** A part that ends with code is an example, and its heading the language. */
function isExample(part: string): boolean {
  return part.trimEnd().endsWith("\n```");
}

/** Folded under its language. */
function folded(example: string, isOpen: boolean): string {
  const [heading = "", ...lines] = example.trimEnd().split("\n");
  const summary = `<summary>${heading.replace("## ", "")}</summary>`;
  return [isOpen ? "<details open>" : "<details>", summary, ...lines, "", "</details>", "", ""].join("\n");
}

function moved(text: string): string {
  return linksReplaced(text.replaceAll(/^#+ /gm, "#$&"), targetOf);
}

function targetOf(path: string): string {
  const target = targets.get(basename(path));
  if (target === undefined) throw new Error(`The reference page has no section for ${path}.`);
  return target;
}
