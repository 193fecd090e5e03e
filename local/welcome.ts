import type { ServiceDescription } from "./serviceDescription.ts";

/** What the one who started the service has to know, with lines to paste into a shell. */
export function welcome(description: ServiceDescription): string {
  const { base_url, docs_url, dynamodb_endpoint, table_name, organisations } = description;
  const sections = organisations.map(({ organisation_id, name, keys }) =>
    [
      `  ${String(organisation_id).padEnd(6)}${name}`,
      ...keys.map((key) => `        ${key.name.padEnd(12)}${key.key}`),
      `        curl -H "Authorization: Bearer ${keys[0]?.key}" "${base_url}/v1/events?per_page=2"`,
    ].join("\n"),
  );
  return `
The ticketing API is running.

  API        ${base_url}
  Reference  ${docs_url}
  DynamoDB   ${dynamodb_endpoint}, table ${table_name}

Organisations, their keys (also in .local/service.json) and a request to try:

${sections.join("\n\n")}

The last one comes without events. To give it some: npm run import -- FILE

What follows is the log. Ctrl-C ends it.
`;
}
