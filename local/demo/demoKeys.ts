import { findApiKeyHash } from "../../functions/keys/apiKeyHashes.ts";
import { apiKeyRepository } from "../../functions/keys/apiKeyRepository.ts";
import { hashApiKey } from "../../functions/keys/apiKeySecret.ts";
import { Scope } from "../../functions/resources/scope.ts";
import { openTable } from "../../functions/table/table.ts";
import type { ServiceDescription } from "../localService.ts";

/** The third starts empty, for the real data set. */
export const organisations = [
  { organisation_id: 1, name: "Riverside Arts Centre" },
  { organisation_id: 2, name: "Northern Lights Festival" },
  { organisation_id: 1842, name: "New York Philharmonic" },
] as const;

export type DemoOrganisation = ServiceDescription["organisations"][number];

const starter = { name: "npm start", subject: "npm start" };

const kinds: { name: string; scopes: Scope[] }[] = [
  { name: "Read only", scopes: ["read"] },
  { name: "All scopes", scopes: [...Scope.options] },
];

/** Gives each organisation a read-only key and one with every scope. With `--data`, working keys of an earlier start are kept for scripts. */
export async function demoKeys(earlier: DemoOrganisation[]): Promise<DemoOrganisation[]> {
  return Promise.all(
    organisations.map(async (organisation) => {
      const keys: DemoOrganisation["keys"] = [];
      // In sequence, so that every start lists them in the same order.
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

/** Trusts only the key in an earlier description; its organisation and scopes are read from the table. */
async function isWorking(key: string, organisationId: number, { scopes }: (typeof kinds)[number]): Promise<boolean> {
  const stored = await findApiKeyHash(openTable(), hashApiKey(key));
  return (
    stored?.status === "active" && stored.organisation_id === organisationId && stored.scopes.join() === scopes.join()
  );
}
