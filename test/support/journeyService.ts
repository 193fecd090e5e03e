import { readFile } from "node:fs/promises";
import * as z from "zod";
import { openTable } from "../../functions/data/table.ts";
import { useLocalTable } from "../../local/localTable.ts";
import { ServiceDescription } from "../../local/serviceDescription.ts";
import { startChildService } from "./childService.ts";
import { clientOf } from "./client.ts";

const { BASE_URL, SERVICE_DESCRIPTION } = z
  .object({ BASE_URL: z.url().optional(), SERVICE_DESCRIPTION: z.string().optional() })
  .parse(process.env);

/** The service that this process started for its journeys; none where BASE_URL names one that runs already. */
export const localService = BASE_URL === undefined ? await startChildService() : undefined;

const description = localService?.description ?? (await describedService());
export const baseUrl = BASE_URL ?? localService?.description.base_url ?? "";

/** A reader of organisation 1 and one of organisation 2. */
export const [one, two] = [readerOf(1), readerOf(2)];

/** Every key that the service came with. */
export const knownKeys = description.organisations.flatMap(({ keys }) => keys.map(({ key }) => key));

/** The table of the service that this process started. */
export function localTable() {
  if (!localService) throw new Error("The table of a service elsewhere is out of reach.");
  useLocalTable(localService.description.dynamodb_endpoint, localService.description.table_name);
  return openTable();
}

/** What SERVICE_DESCRIPTION names: a file like `.local/service.json`, of which only the organisations and keys matter here. */
async function describedService() {
  if (SERVICE_DESCRIPTION === undefined) throw new Error("BASE_URL needs SERVICE_DESCRIPTION, a file with the keys.");
  return ServiceDescription.pick({ organisations: true }).parse(
    JSON.parse(await readFile(SERVICE_DESCRIPTION, "utf8")),
  );
}

function readerOf(organisationId: number) {
  const organisation = description.organisations.find(({ organisation_id }) => organisation_id === organisationId);
  const found = organisation?.keys.find(({ scopes }) => scopes.join() === "read");
  if (!found) throw new Error(`Organisation ${organisationId} has no key that only reads.`);
  return { organisationId, keyName: found.name, ...clientOf(baseUrl, found.key) };
}
