import { hashApiKey } from "../../functions/auth/apiKeySecret.ts";
import { findApiKeyHash } from "../../functions/data/repositories/apiKeyHashes.ts";
import { apiKeyRepository } from "../../functions/data/repositories/apiKeyRepository.ts";
import { openTable } from "../../functions/data/table/table.ts";
import { Scope } from "../../functions/resources/scope.ts";
import type { ServiceDescription } from "../serviceDescription.ts";
import { organisations } from "./organisations.ts";

export type DemoOrganisation = ServiceDescription["organisations"][number];

/** Who made the keys, for the audit trail. */
const starter = { name: "npm start", subject: "npm start" };

const kinds: { name: string; scopes: Scope[] }[] = [
  { name: "Read only", scopes: ["read"] },
  { name: "All scopes", scopes: [...Scope.options] },
];

/**
 * Gives each organisation a key that only reads and one with every scope. Keys of an earlier start that still work are kept,
 * so that scripts go on working with `--data`.
 */
export async function demoKeys(earlier: DemoOrganisation[]): Promise<DemoOrganisation[]> {
  return Promise.all(
    organisations.map(async (organisation) => {
      const keys: DemoOrganisation["keys"] = [];
      // One after another, so that they are listed in the same order at every start.
      for (const kind of kinds) keys.push(await workingKey(organisation.organisation_id, kind, earlier));
      return { ...organisation, keys };
    }),
  );
}

async function workingKey(organisationId: number, kind: (typeof kinds)[number], earlier: DemoOrganisation[]) {
  const { name, scopes } = kind;
  const known = earlier
    .find((organisation) => organisation.organisation_id === organisationId)
    ?.keys.find((key) => key.name === name);
  if (known && (await isWorking(known.key, organisationId, kind))) return { name, key: known.key, scopes };
  const { key } = await apiKeyRepository(organisationId, openTable()).create(name, scopes, starter);
  return { name, key, scopes };
}

/** Of what an earlier description says, only the key is taken; what it opens is asked of the table. */
async function isWorking(key: string, organisationId: number, { scopes }: (typeof kinds)[number]): Promise<boolean> {
  const stored = await findApiKeyHash(openTable(), hashApiKey(key));
  return (
    stored?.status === "active" && stored.organisation_id === organisationId && stored.scopes.join() === scopes.join()
  );
}
