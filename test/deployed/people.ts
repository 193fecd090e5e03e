import { createApiKey } from "../../functions/endpoints/createApiKey.ts";
import { Scope } from "../../functions/resources/scope.ts";
import { clientOf } from "../support/http/client.ts";
import { textOf } from "../support/http/send.ts";
import type { TokenHolder } from "../support/service/stageDescription.ts";

const kinds = [
  { name: "Read only", scopes: ["read"] },
  { name: "All scopes", scopes: [...Scope.options] },
];

/** Creates a read-only key and a key with every scope for the organisation of each super-admin, through the deployed key administration. */
export async function makeKeys(baseUrl: string, people: readonly TokenHolder[]) {
  const organisations = [];
  for (const { organisation_id, id_token } of people.filter(({ role }) => role === "super-admin")) {
    const client = clientOf(baseUrl, id_token);
    const keys = [];
    for (const kind of kinds) {
      const answer = await client.call(createApiKey, createApiKey.path, { body: JSON.stringify(kind) });
      if (answer.status !== 201) throw new Error(`A key was not created: ${answer.status} ${textOf(answer)}`);
      keys.push({ ...kind, key: JSON.parse(textOf(answer)).key });
    }
    organisations.push({ organisation_id, name: `Organisation ${organisation_id}`, keys });
  }
  return organisations;
}
