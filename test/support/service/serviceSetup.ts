import { readFile } from "node:fs/promises";
import { join } from "node:path";
import * as z from "zod";
import type { ServiceDescription } from "../../../local/localService.ts";
import { Visitor } from "../http/visitor.ts";
import { atEnd } from "../jest/globalSetup.ts";
import { startChildService } from "./childService.ts";
import { StageDescription, type TestedService } from "./stageDescription.ts";

const Environment = z.object({
  BASE_URL: z.url().optional(),
  SERVICE_DESCRIPTION: z.string().optional(),
  TEST_DYNAMODB_ENDPOINT: z.url().optional(),
});

/**
 * Starts one service for all test files or, with BASE_URL, uses a running one, which SERVICE_DESCRIPTION describes. Files import
 * `testedService.ts` to call it.
 */
export default async function serviceSetup(): Promise<TestedService> {
  const service = { ...(await reachService()), prepared: new Date().toISOString() };
  process.env.TESTED_SERVICE = JSON.stringify(service);
  const { prepareService } = await import("./prepareService.ts");
  await prepareService();
  service.prepared = new Date().toISOString();
  process.env.TESTED_SERVICE = JSON.stringify(service);
  return service;
}

async function reachService() {
  const { BASE_URL, SERVICE_DESCRIPTION, TEST_DYNAMODB_ENDPOINT } = Environment.parse(process.env);
  if (BASE_URL !== undefined) {
    if (SERVICE_DESCRIPTION === undefined) throw new Error("BASE_URL needs SERVICE_DESCRIPTION, a file with the keys.");
    const described = StageDescription.parse(JSON.parse(await readFile(SERVICE_DESCRIPTION, "utf8")));
    return { base_url: BASE_URL, ...described };
  }
  const options = TEST_DYNAMODB_ENDPOINT === undefined ? [] : ["--dynamodb-endpoint", TEST_DYNAMODB_ENDPOINT];
  const furtherPeople = join(import.meta.dirname, "furtherPeople.ts");
  const { directory, description, stop } = await startChildService(options, ["--import", furtherPeople]);
  atEnd(() => stop());
  const people = await Promise.all(description.people.map((person) => signIn(description, person)));
  const { base_url, organisations } = description;
  return { base_url, organisations, people, local: { directory, description } };
}

/** A person of the local service with an ID token, which is valid for an hour. */
async function signIn(
  { issuer, developer_area_url }: ServiceDescription,
  person: ServiceDescription["people"][number],
) {
  const visitor = new Visitor({ issuer, clientId: "developer-area", returnTo: developer_area_url });
  return { ...person, id_token: (await visitor.tokensFor(person)).id_token };
}
