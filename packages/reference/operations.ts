import * as z from "zod";
import { Html, html } from "./html.ts";
import { inlineMarkdown, markdown, Schema, typeOf } from "./schemas.ts";

const Parameter = z.object({
  name: z.string(),
  in: z.enum(["path", "query", "header"]),
  required: z.boolean().optional(),
  description: z.string().optional(),
  schema: Schema,
});
type Parameter = z.infer<typeof Parameter>;

const Content = z.record(z.string(), z.object({ schema: Schema, example: z.unknown() }));

export const Operation = z.object({
  operationId: z.string(),
  tags: z.array(z.string()),
  summary: z.string(),
  description: z.string().optional(),
  deprecated: z.boolean().optional(),
  parameters: z.array(Parameter).default([]),
  requestBody: z.object({ required: z.boolean(), content: Content }).optional(),
  responses: z.record(z.string(), z.object({ description: z.string(), content: Content.optional() })),
});
export type Operation = z.infer<typeof Operation>;

/** An operation with its place. */
export interface Route extends Operation {
  method: string;
  path: string;
}

const kinds = [
  { kind: "path", title: "Path parameters" },
  { kind: "query", title: "Query parameters" },
  { kind: "header", title: "Headers" },
] as const;

export function operationSection(route: Route): Html {
  const { operationId, summary, description, method, path, parameters, requestBody, responses } = route;
  const success = Object.entries(responses).find(([status]) => status.startsWith("2"));
  const example = success && mediaOf(success[1].content)?.example;
  return html`<section id="${operationId}" class="operation" data-entry>
<h3>${summary}</h3>
<p class="route"><span class="method">${method}</span> <code>${path}</code> <span class="name">${operationId}</span></p>
${route.deprecated && html`<p><strong>Deprecated.</strong></p>`}
${markdown(description)}
${kinds.map(({ kind, title }) =>
  parametersOf(
    title,
    parameters.filter((parameter) => parameter.in === kind),
  ),
)}
${requestBody && bodyOf(requestBody)}
<h4>Responses</h4>
<dl class="members">${Object.entries(responses).map(responseOf)}</dl>
${example !== undefined && html`<details><summary>Example response</summary>${code(JSON.stringify(example, null, 2))}</details>`}
<h4>Send it</h4>
${samplesOf(route)}
${tryIt(route)}
</section>
`;
}

function parametersOf(title: string, parameters: Parameter[]): Html | false {
  if (parameters.length === 0) return false;
  return html`<h4>${title}</h4>
<dl class="members">${parameters.map(
    ({ name, required, description, schema }) => html`<div>
<dt><code>${name}</code> <span class="type">${typeOf(schema)}${!required && ", optional"}</span></dt>
<dd>${inlineMarkdown(description)}</dd>
</div>
`,
  )}</dl>
`;
}

function bodyOf({ required, content }: NonNullable<Operation["requestBody"]>): Html {
  const media = mediaOf(content);
  return html`<h4>Request body</h4>
<p>${media && typeOf(media.schema)}${!required && ", optional"}</p>
${code(JSON.stringify(media?.example, null, 2))}
`;
}

function responseOf([status, { description, content }]: [string, Operation["responses"][string]]): Html {
  const schema = mediaOf(content)?.schema;
  return html`<div><dt><code>${status}</code> <span class="type">${schema && typeOf(schema)}</span></dt><dd>${inlineMarkdown(description)}</dd></div>
`;
}

function mediaOf(content: Operation["responses"][string]["content"] = {}) {
  return Object.values(content)[0];
}

function code(text: string): Html {
  return html`<pre><code>${text}</code></pre>`;
}

/** The page's script replaces it by the page's own address. */
const origin = "https://API_ADDRESS";

/** The same request in several languages. Of the details with one name, a browser opens one at a time. */
function samplesOf(route: Route): Html {
  return html`${Object.entries(samples).map(
    (
      [language, sample],
      index,
    ) => html`<details name="sample-${route.operationId}"${new Html(index === 0 ? " open" : "")}>
<summary>${language}</summary>${code(sample(exampleRequest(route)))}</details>
`,
  )}`;
}

interface ExampleRequest {
  method: string;
  url: string;
  headers: [name: string, value: string][];
  body?: unknown;
}

/** A request with everything that is required. */
function exampleRequest({ method, path, parameters, requestBody }: Route): ExampleRequest {
  const needed = parameters.filter(({ required }) => required);
  const query = needed.filter((parameter) => parameter.in === "query").map(({ name }) => `${name}=VALUE`);
  const url = origin + path.replaceAll(/\{(\w+)\}/g, (_, name: string) => name.toUpperCase());
  const headers = needed.filter((parameter) => parameter.in === "header");
  const body = requestBody && mediaOf(requestBody.content)?.example;
  return {
    method,
    url: query.length > 0 ? `${url}?${query.join("&")}` : url,
    headers: [
      ["Authorization", "Bearer API_KEY"],
      ...(body === undefined ? [] : [["Content-Type", "application/json"] as [string, string]]),
      ...headers.map(({ name }): [string, string] => [name, "VALUE"]),
    ],
    ...(body !== undefined && { body }),
  };
}

const samples: Record<string, (request: ExampleRequest) => string> = {
  curl: ({ method, url, headers, body }) =>
    [
      `curl ${method === "GET" ? "" : `-X ${method} `}"${url}"`,
      ...headers.map(([name, value]) => `-H "${name}: ${value}"`),
      ...(body === undefined ? [] : [`-d '${JSON.stringify(body).replaceAll("'", "'\\''")}'`]),
    ].join(" \\\n  "),
  JavaScript: ({ method, url, headers, body }) =>
    [
      `const response = await fetch("${url}", {`,
      ...(method === "GET" ? [] : [`  method: "${method}",`]),
      `  headers: ${JSON.stringify(Object.fromEntries(headers))},`,
      ...(body === undefined ? [] : [`  body: JSON.stringify(${JSON.stringify(body)}),`]),
      "});",
      "console.log(response.status, await response.text());",
    ].join("\n"),
  Python: ({ method, url, headers, body }) =>
    [
      "import json, urllib.request",
      "",
      "request = urllib.request.Request(",
      `    "${url}",`,
      `    method="${method}",`,
      `    headers=${JSON.stringify(Object.fromEntries(headers))},`,
      ...(body === undefined
        ? []
        : [`    data=json.dumps(json.loads(${JSON.stringify(JSON.stringify(body))})).encode(),`]),
      ")",
      "with urllib.request.urlopen(request) as response:",
      "    print(response.status, response.read().decode())",
    ].join("\n"),
};

/** A form that the page's script sends. */
function tryIt({ operationId, method, path, parameters, requestBody }: Route): Html {
  const field = ({ name, in: place, required }: Parameter) => html`<label>${name}${!required && " (optional)"}
<input name="${name}" data-in="${place}" autocomplete="off" spellcheck="false"${new Html(required ? " required" : "")}></label>
`;
  const body =
    requestBody &&
    html`<label>Body
<textarea name="body" rows="6" spellcheck="false">${JSON.stringify(mediaOf(requestBody.content)?.example, null, 2)}</textarea></label>
`;
  return html`<details class="try"><summary>Try it: ${operationId}</summary>
<form data-method="${method}" data-path="${path}">
${parameters.map(field)}${body}
<button type="submit">Send ${method} ${path}</button>
<div role="status"></div>
</form></details>
`;
}
