import { marked } from "marked";

/** HTML that needs no escaping. */
export class Html {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

type Part = string | number | false | null | undefined | Html | readonly Part[];

/** An HTML template. It escapes texts, and omits false, null and undefined. */
export function html(strings: TemplateStringsArray, ...parts: Part[]): Html {
  return new Html(strings.map((string, index) => string + textOf(parts[index])).join(""));
}

function textOf(part: Part): string {
  if (part instanceof Html) return part.text;
  if (Array.isArray(part)) return part.map(textOf).join("");
  return part === false || part === null || part === undefined ? "" : escaped(String(part));
}

const entities: Record<string, string> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&#39;" };

function escaped(text: string): string {
  return text.replaceAll(/[&<>"']/g, (character) => entities[character] ?? "");
}

/** Markdown of the document's own texts, which contain no HTML. */
export function markdown(text = ""): Html {
  return new Html(marked.parse(text, { async: false }));
}

export function inlineMarkdown(text = ""): Html {
  return new Html(marked.parseInline(text, { async: false }));
}

export function code(text: string): Html {
  return html`<pre><code>${text}</code></pre>`;
}

/** A heading that is a link to its section. */
export function heading(level: 2 | 3, id: string, title: string): Html {
  const name = new Html(`h${level}`);
  return html`<${name}><a class="permalink" href="#${id}">${title}</a></${name}>`;
}

/** Shows one of the contents at a time. Without the styles for tabs, they are folded below each other. */
export function tabs(name: string, contents: { title: string; content: Html; id?: string }[]): Html {
  return html`<div class="tabs">${contents.map(
    ({ title, content, id }, index) =>
      html`<details name="${name}"${new Html(index === 0 ? " open" : "")}><summary${id !== undefined && html` id="${id}"`}>${title}</summary>${content}</details>
`,
  )}</div>
`;
}
