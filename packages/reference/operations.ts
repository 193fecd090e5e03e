import type { Body, Message, Parameter, Route } from "./document.ts";
import { code, Html, heading, html, inlineMarkdown, markdown, tabs } from "./html.ts";
import { requestOf, samples } from "./samples.js";
import { type Field, fieldsOf, type Schema, typeOf } from "./schemas.ts";

const kinds = [
  { kind: "path", title: "Path parameters" },
  { kind: "query", title: "Query parameters" },
  { kind: "header", title: "Headers" },
] as const;

export function operationSection(route: Route, address: string): Html {
  const { operationId, summary, description, method, path, parameters, body, responses } = route;
  const success = responses.find(({ status }) => status.startsWith("2"));
  return html`<section id="${operationId}" class="columns operation" data-entry>
<div>
${heading(3, operationId, summary)}
<p class="route"><span class="method">${method}</span> <code>${path}</code> <span class="name">${operationId}</span></p>
${route.isDeprecated && html`<p><strong>Deprecated.</strong></p>`}
${markdown(description)}
${kinds.map(({ kind, title }) => {
  const ofKind = parameters.filter((parameter) => parameter.in === kind);
  return ofKind.length > 0 && html`<h4>${title}</h4>${members(ofKind)}`;
})}
${body && html`<h4>Request body</h4>${bodyFields(body)}`}
<h4>Responses</h4>
<dl class="members">${responses.map(
    ({
      status,
      type,
      description,
    }) => html`<div><dt><code>${status}</code> <span class="type">${inlineMarkdown(type)}</span></dt><dd>${inlineMarkdown(description)}</dd></div>
`,
  )}</dl>
</div>
<aside aria-label="Samples of ${operationId}">
${samplesOf(route, address)}
${success?.example !== undefined && html`<p class="label">Example response <code>${success.status}</code></p>${code(jsonText(success.example))}`}
</aside>
${tryIt(route)}
</section>
`;
}

export function messageSection({ type, summary, body }: Message): Html {
  return html`<section id="message/${type}" class="columns" data-entry>
<div>
${heading(3, `message/${type}`, type)}
${markdown(summary)}
${body && members(body.fields)}
</div>
${exampleOf(type, body?.example)}
</section>
`;
}

export function schemaSection(name: string, schema: Schema): Html {
  const { description, anyOf, oneOf, properties, examples: [example] = [] } = schema;
  const choices = anyOf ?? oneOf ?? schema.enum;
  return html`<section id="schema/${name}" class="columns" data-entry>
<div>
${heading(3, `schema/${name}`, name)}
${markdown(description)}
${properties ? members(fieldsOf(schema)) : choices && html`<p>${inlineMarkdown(typeOf(schema))}</p>`}
</div>
${exampleOf(name, example)}
</section>
`;
}

function exampleOf(name: string, example: unknown): Html | false {
  return (
    example !== undefined &&
    html`<aside aria-label="Example of ${name}"><p class="label">Example</p>${code(jsonText(example))}</aside>`
  );
}

function bodyFields({ type, fields, isRequired }: Body): Html {
  return html`<p class="type">${inlineMarkdown(type)}${!isRequired && ", optional"}</p>${members(fields)}`;
}

function members(fields: Field[]): Html {
  return html`<dl class="members">${fields.map(
    ({ name, type, isRequired, description, fields }) => html`<div>
<dt><code>${name}</code> <span class="type">${inlineMarkdown(type)}${!isRequired && ", optional"}</span></dt>
<dd>${inlineMarkdown(description)}${fields.length > 0 && members(fields)}</dd>
</div>
`,
  )}</dl>
`;
}

function jsonText(value: unknown): string {
  return JSON.stringify(value, null, 2);
}

function samplesOf(route: Route, address: string): Html {
  const { operationId, body, credential } = route;
  const request = requestOf({ ...route, address, body: body && jsonText(body.example) });
  const contents = Object.entries(samples).map(([title, sample]) => ({
    title,
    content: code(sample(request, credential)),
  }));
  return tabs(`sample-${operationId}`, contents);
}

const credentials = {
  API_KEY: { name: "API key", placeholder: "tsk_…", help: "#description/basics/authentication" },
  ID_TOKEN: { name: "ID token", placeholder: "eyJ…", help: "#description/basics/id-tokens" },
};

/** A form that the page's script sends. */
function tryIt({ operationId, method, path, parameters, body, credential }: Route): Html {
  const { name, placeholder, help } = credentials[credential];
  return html`<details class="try"><summary>Try it: ${operationId}</summary>
<form data-method="${method}" data-path="${path}" data-credential="${credential}">
<label>${name}
<input type="password" name="credential" placeholder="${placeholder}" autocomplete="off" spellcheck="false"></label>
<p class="hint">This page keeps it for all operations until you close or reload the page. <a href="${help}">How to get one</a></p>
${parameters.map(parameterField)}${
  body &&
  html`<label>Body
<textarea name="body" rows="6" autocomplete="off" spellcheck="false">${jsonText(body.example)}</textarea></label>
`
}<button type="submit">Send ${method} ${path}</button>
<div role="status"></div>
</form></details>
`;
}

function parameterField({ name, in: place, isRequired, example }: Parameter): Html {
  return html`<label>${name}${!isRequired && " (optional)"}
<input name="${name}" data-in="${place}" placeholder="${String(example ?? "")}" autocomplete="off" spellcheck="false"${new Html(isRequired ? " required" : "")}></label>
`;
}
