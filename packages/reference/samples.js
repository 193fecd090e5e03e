// The same request in several languages: from the examples when the site is built, and from "try it" in the browser.

/**
 * @param parameters with their values. Without a value, a required one becomes its name in capital letters, and an optional one is omitted.
 * @param body its JSON.
 */
export function requestOf({ address, method, path, parameters, body }) {
  const given = parameters.flatMap(({ name, value, isRequired, ...parameter }) => {
    const shown = value || (isRequired ? name.toUpperCase().replaceAll("-", "_") : "");
    return shown === "" ? [] : [{ name, value: shown, ...parameter }];
  });
  const of = (place) => given.filter((one) => one.in === place).map(({ name, value }) => [name, value]);
  const ids = Object.fromEntries(of("path"));
  const query = new URLSearchParams(of("query")).toString().replaceAll("%2C", ",");
  const url = address + path.replaceAll(/\{(\w+)\}/g, (_, name) => encodeURIComponent(ids[name]));
  const type = body ? [["Content-Type", "application/json"]] : [];
  return { method, url: query === "" ? url : `${url}?${query}`, headers: [...type, ...of("header")], body };
}

const quoted = (text) => `'${text.replaceAll("'", "'\\''")}'`;
const property = ([name, value]) => `${JSON.stringify(name)}: ${JSON.stringify(value)},`;

/** An object if that sends the same JSON; otherwise, for example with an unsafe integer, a string. */
function javaScriptBody(body) {
  const compact = body.replaceAll(/("(?:\\.|[^"\\])*")|\s+/g, "$1");
  try {
    if (JSON.stringify(JSON.parse(body)) === compact) return `JSON.stringify(${body.trim().replaceAll("\n", "\n  ")})`;
  } catch {}
  return JSON.stringify(body);
}

/** Samples by language. The credential is the name of the variable that contains it. */
export const samples = {
  curl: ({ method, url, headers, body }, credential) =>
    [
      `curl ${method === "GET" ? "" : `-X ${method} `}${quoted(url)}`,
      `-H "Authorization: Bearer $${credential}"`,
      ...headers.map(([name, value]) => `-H ${quoted(`${name}: ${value}`)}`),
      ...(body ? [`--data-raw ${quoted(body)}`] : []),
    ].join(" \\\n  "),
  JavaScript: ({ method, url, headers, body }, credential) =>
    [
      `const response = await fetch(${JSON.stringify(url)}, {`,
      ...(method === "GET" ? [] : [`  method: "${method}",`]),
      "  headers: {",
      `    Authorization: \`Bearer \${process.env.${credential}}\`,`,
      ...headers.map((header) => `    ${property(header)}`),
      "  },",
      ...(body ? [`  body: ${javaScriptBody(body)},`] : []),
      "});",
      "console.log(response.status, await response.text());",
    ].join("\n"),
  Python: ({ method, url, headers, body }, credential) =>
    [
      "import os, urllib.request",
      "",
      "request = urllib.request.Request(",
      `    ${JSON.stringify(url)},`,
      `    method="${method}",`,
      "    headers={",
      `        "Authorization": "Bearer " + os.environ["${credential}"],`,
      ...headers.map((header) => `        ${property(header)}`),
      "    },",
      ...(body ? [`    data=${/"""|["\\]$/.test(body) ? JSON.stringify(body) : `r"""${body}"""`}.encode(),`] : []),
      ")",
      "with urllib.request.urlopen(request) as response:",
      "    print(response.status, response.read().decode())",
    ].join("\n"),
};
