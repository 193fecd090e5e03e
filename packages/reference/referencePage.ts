import { type Group, type Message, type Reference, readDocument } from "./document.ts";
import { type Guide, guides } from "./guides.ts";
import { type Html, heading, html, markdown } from "./html.ts";
import { messageSection, operationSection, schemaSection } from "./operations.ts";

/** For a page built before the service has an address; the page's script replaces it with the page's origin. */
const unknownAddress = "https://API_ADDRESS";

/** The page at `/docs`: the guides, and everything in an OpenAPI document. It is complete without scripts, which add search and "try it". */
export function referencePage(openApi: unknown): string {
  const { info, address = unknownAddress, groups, messages, schemas } = readDocument(openApi);
  const sections = guides(address);
  // A guide may have the name of a group.
  const titles = new Set(sections.map(({ title }) => title));
  const named = groups
    .map((group) => ({ ...group, name: group.name + (titles.has(group.name) ? ": operations" : "") }))
    .sort((one, other) => Number(isForPeople(one)) - Number(isForPeople(other)));
  const page = html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="description" content="Guides to the Ticketing API, and every operation, field and error, ready to try.">
<title>${info.title} reference</title>
<link rel="icon" href="/docs/favicon.svg" type="image/svg+xml">
<link rel="preload" href="/docs/inter.woff2" as="font" type="font/woff2" crossorigin>
<link rel="stylesheet" href="/docs/reference.css">
<script src="/docs/colours.js"></script>
<script type="module" src="/docs/reference.js"></script>
</head>
<body>
<a class="skip" href="#content">Skip to the content</a>
<header>
<button type="button" class="burger" popovertarget="contents" aria-label="Contents"></button>
<a class="brand" href="#content" aria-label="Ticketing">${mark} <span>Ticketing</span></a>
<search></search>
${colourSwitch()}
</header>
<nav id="contents" popover aria-label="Contents">${contents(sections, named)}</nav>
<main id="content" tabindex="-1">
<h1>${info.title} ${info.version}</h1>
${support(info.contact)}
${sections.map(({ id, content }) => html`<section id="${id}" class="columns guide" data-entry>${content}</section>`)}
${named.map((group) => groupSection(group, address))}
${messagesSection(messages)}
<section id="schemas">${heading(2, "schemas", "Schemas")}${schemas.map(([name, schema]) => schemaSection(name, schema))}</section>
</main>
<dialog aria-labelledby="confirm">
<h2 id="confirm">Change real data?</h2>
<p>“Try it” is not a test. This request changes your organisation's data:</p>
<pre><code></code></pre>
<form method="dialog"><button value="">Cancel</button> <button class="primary" value="send">Send it</button></form>
</dialog>
</body>
</html>
`;
  return page.text;
}

function isForPeople({ routes }: Group): boolean {
  return routes.every(({ credential }) => credential === "ID_TOKEN");
}

/** The icon, in the page's colours. */
const mark = html`<svg viewBox="0 0 32 32" width="24" height="24" aria-hidden="true"><path class="mark" d="M4 7h24a2 2 0 0 1 2 2v4a3 3 0 0 0 0 6v4a2 2 0 0 1-2 2H4a2 2 0 0 1-2-2v-4a3 3 0 0 0 0-6V9a2 2 0 0 1 2-2z"/><path class="tear" d="M20 9v14"/></svg>`;

const schemes = [
  {
    value: "light",
    name: "Light",
    path: "M12 7a5 5 0 1 0 0 10 5 5 0 0 0 0-10zM12 1v3M12 20v3M4.2 4.2l2.1 2.1M17.7 17.7l2.1 2.1M1 12h3M20 12h3M4.2 19.8l2.1-2.1M17.7 6.3l2.1-2.1",
  },
  { value: "dark", name: "Dark", path: "M21 13A9 9 0 1 1 11 3a7 7 0 0 0 10 10z" },
  { value: "auto", name: "System", path: "M3 4h18v12H3zM8 21h8M12 16v5" },
];

function colourSwitch(): Html {
  return html`<fieldset class="colours"><legend>Colours</legend>${schemes.map(
    ({ value, name, path }) =>
      html`<label title="${name}"><input type="radio" name="colours" value="${value}" aria-label="${name}"><svg viewBox="0 0 24 24" width="16" height="16" aria-hidden="true"><path d="${path}"/></svg></label>`,
  )}</fieldset>`;
}

function support(contact: Reference["info"]["contact"]): Html {
  if (!contact) return html``;
  const { email, url = `mailto:${email}` } = contact;
  return html`<p>Questions: <a href="${url}">${email ?? url}</a>. Quote the <code>request_id</code> of a failed request.</p>`;
}

function contents(sections: Guide[], groups: Group[]): Html {
  const link = (id: string, title: string) => html`<li><a href="#${id}">${title}</a></li>`;
  return html`<ul><li><a href="/developer">Developer area</a></li><li><a href="/openapi.json">OpenAPI document</a></li></ul>
<p>Guides</p>
<ul>${sections.map(({ id, title }) => link(id, title))}</ul>
${groups.map(
  ({ name, routes }) => html`<p>${name}</p>
<ul>${routes.map(({ operationId, summary }) => link(operationId, summary))}</ul>
`,
)}<p>Bodies</p>
<ul>${link("messages", "Webhook messages")}${link("schemas", "Schemas")}</ul>`;
}

function groupSection({ name, description, routes }: Group, address: string): Html {
  const id = `group/${name.replaceAll(/\W+/g, "-").toLowerCase()}`;
  return html`<section id="${id}">${heading(2, id, name)}
${markdown(description)}
${routes.map((route) => operationSection(route, address))}</section>
`;
}

function messagesSection(messages: Message[]): Html {
  return html`<section id="messages">${heading(2, "messages", "Webhook messages")}
<p>Webhooks POST these bodies to your address. <a href="#description/webhooks">The guide</a> describes the guarantees.</p>
${markdown(messages[0]?.description)}
${messages.map(messageSection)}</section>
`;
}
