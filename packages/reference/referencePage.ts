import * as z from "zod";
import { type Guide, guides } from "./guides.ts";
import { type Html, html } from "./html.ts";
import { Operation, operationSection, type Route } from "./operations.ts";
import { markdown, Schema, schemaSection } from "./schemas.ts";

const Document = z.object({
  info: z.object({
    title: z.string(),
    version: z.string(),
    contact: z.object({ email: z.string(), url: z.string() }).partial().optional(),
  }),
  tags: z.array(z.object({ name: z.string(), description: z.string() })),
  paths: z.record(z.string(), z.record(z.string(), z.unknown())),
  components: z.looseObject({ schemas: z.record(z.string(), Schema) }),
});

/** The value with the parameters and responses that it refers to. The page shows schemas in a section of their own. */
function resolved(value: unknown, components: Record<string, unknown>): unknown {
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return value.map((one) => resolved(one, components));
  const [, kind = "", name = ""] =
    /^#\/components\/(parameters|responses)\/(.+)$/.exec("$ref" in value ? String(value.$ref) : "") ?? [];
  const target = z.record(z.string(), z.unknown()).catch({}).parse(components[kind])[name];
  return (
    target ?? Object.fromEntries(Object.entries(value).map(([key, member]) => [key, resolved(member, components)]))
  );
}

/** The page at `/docs`: the guides, and everything in an OpenAPI document. It is complete without scripts, which add search and "try it". */
export function referencePage(openApi: unknown): string {
  const { info, tags, paths, components } = Document.parse(openApi);
  const routes = Object.entries(paths).flatMap(([path, operations]) =>
    Object.entries(operations).map(
      ([method, operation]): Route => ({
        ...Operation.parse(resolved(operation, components)),
        method: method.toUpperCase(),
        path,
      }),
    ),
  );
  const groups = tags.map((tag) => ({ ...tag, routes: routes.filter((route) => route.tags.includes(tag.name)) }));
  const sections = guides();
  const schemas = Object.entries(components.schemas);
  const page = html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="description" content="Guides to the Ticketing API, and every operation, field and error, ready to try.">
<title>${info.title} reference</title>
<link rel="icon" href="/docs/favicon.svg" type="image/svg+xml">
<link rel="stylesheet" href="/docs/reference.css">
<script type="module" src="/docs/reference.js"></script>
</head>
<body>
<a class="skip" href="#content">Skip to the content</a>
<header>
<span class="brand"><img src="/docs/favicon.svg" alt="" width="24" height="24"> Ticketing</span>
<search></search>
<a href="/developer">Developer area</a>
<a href="/openapi.json">OpenAPI document</a>
</header>
<nav aria-label="Contents">${contents(sections, groups)}</nav>
<main id="content" tabindex="-1">
<h1>${info.title} ${info.version}</h1>
${support(info.contact)}
${sections.map(({ id, content }) => html`<section id="${id}" class="guide" data-entry>${content}</section>`)}
${groups.map(groupSection)}
<section id="schemas"><h2>Schemas</h2>${schemas.map(([name, schema]) => schemaSection(name, schema))}</section>
</main>
</body>
</html>
`;
  return page.text;
}

function support(contact: z.infer<typeof Document>["info"]["contact"]): Html {
  if (!contact) return html``;
  const { email, url = `mailto:${email}` } = contact;
  return html`<p>Questions: <a href="${url}">${email ?? url}</a>. Quote the <code>request_id</code> of a failed request.</p>`;
}

interface Group {
  name: string;
  description: string;
  routes: Route[];
}

function contents(sections: Guide[], groups: Group[]): Html {
  const link = (id: string, title: string) => html`<li><a href="#${id}">${title}</a></li>`;
  return html`<p>Guides</p>
<ul>${sections.map(({ id, title }) => link(id, title))}</ul>
${groups.map(
  ({ name, routes }) => html`<p>${name}</p>
<ul>${routes.map(({ operationId, summary }) => link(operationId, summary))}</ul>
`,
)}<p>Schemas</p>
<ul>${link("schemas", "All schemas")}</ul>`;
}

function groupSection({ name, description, routes }: Group): Html {
  return html`<section><h2>${name}</h2>
${markdown(description)}
${routes.map(operationSection)}</section>
`;
}
