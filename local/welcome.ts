import type { ServiceDescription } from "./serviceDescription.ts";

/** The message of `npm start`, with commands to paste into a shell. */
export function welcome(description: ServiceDescription): string {
  const { base_url, docs_url, developer_area_url, dynamodb_endpoint, table_name, organisations, people } = description;
  const sections = organisations.map(({ organisation_id, name, keys }) =>
    [
      `  ${String(organisation_id).padEnd(6)}${name}`,
      ...keys.map((key) => `        ${key.name.padEnd(12)}${key.key}`),
      `        curl -H "Authorization: Bearer ${keys[0]?.key}" "${base_url}/v1/events?per_page=2"`,
    ].join("\n"),
  );
  const longest = Math.max(...people.map(({ email }) => email.length));
  const signIns = people.map(
    ({ email, password, organisation_id, role }) =>
      `  ${String(organisation_id).padEnd(6)}${role.padEnd(13)}${email.padEnd(longest + 2)}${password}`,
  );
  return `
The ticketing API is running.

  API             ${base_url}
  Reference       ${docs_url}
  Developer area  ${developer_area_url}
  DynamoDB        ${dynamodb_endpoint}, table ${table_name}

Organisations, their keys (also in .local/service.json) and a request to try:

${sections.join("\n\n")}

The summaries are complete in a few seconds.

The last organisation has no events. To import some: npm run import -- FILE

People who can sign in to the Developer area, with their passwords:

${signIns.join("\n")}

The log follows. Press Ctrl-C to stop the service.
`;
}
