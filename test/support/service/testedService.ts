import assert from "node:assert/strict";
import { setTimeout as wait } from "node:timers/promises";
import * as z from "zod";
import type { Endpoint } from "../../../functions/api/endpoint.ts";
import { createApiKey } from "../../../functions/endpoints/createApiKey.ts";
import { CreatedApiKey } from "../../../functions/keys/apiKey.ts";
import { apiKeyRepository } from "../../../functions/keys/apiKeyRepository.ts";
import { visibilityDelayMs } from "../../../functions/records/changeTime.ts";
import { Scope } from "../../../functions/resources/scope.ts";
import { openTable } from "../../../functions/table/table.ts";
import { useLocalTable } from "../../../local/localService.ts";
import { someone } from "../data/records.ts";
import { type Client, clientOf } from "../http/client.ts";
import { textOf } from "../http/send.ts";
import { furtherOrganisations } from "./furtherOrganisations.ts";
import { TestedService } from "./stageDescription.ts";

const { TESTED_SERVICE = "null" } = process.env;
const { organisations, people, prepared, base_url, local } = TestedService.parse(JSON.parse(TESTED_SERVICE));

export { base_url as baseUrl, local as localService, prepared };

export interface Caller extends Client {
  organisationId: number;
}

/** A reader of organisation 1 and one of organisation 2. No test changes their records. */
export const [one, two] = [holderOf(1, ["read"]), holderOf(2, ["read"])];

export const [writerOne, writerTwo] = [holderOf(1, Scope.options), holderOf(2, Scope.options)];

/** The super-admins of both organisations, and a member of staff of organisation 1. */
export const [adminOne, adminTwo, staff] = [
  personOf(1, "super-admin"),
  personOf(2, "super-admin"),
  personOf(1, "staff"),
];

/** The super-admin of an organisation whose keys and webhooks nothing uses or changes. At a running stage, pages run one after another. */
export const quietAdmin = local ? personOf(furtherOrganisations.quiet, "super-admin") : adminOne;

/** A caller of each of two organisations who may call an endpoint. */
export function callersOf({ caller }: Endpoint): { one: Caller; two: Caller } {
  if (caller.scheme === "superAdmin") return { one: quietAdmin, two: adminTwo };
  return caller.scope === "read" ? { one, two } : { one: writerOne, two: writerTwo };
}

/** Waits until the list of changes shows those of the set-up, so that it no longer changes. */
export async function changesShown(): Promise<void> {
  await wait(Math.max(0, Date.parse(prepared) + visibilityDelayMs + 1_000 - Date.now()));
}

/** Every key that the service had at its start. */
export const knownKeys = organisations.flatMap(({ keys }) => keys.map(({ key }) => key));

/** The table of the service that the set-up started. */
export function localTable() {
  if (!local) throw new Error("Tests cannot reach the table of a service that they did not start.");
  useLocalTable(local.description.dynamodb_endpoint, local.description.table_name);
  return openTable();
}

/** The holder of a new key in the table of the service that the set-up started. */
export async function newHolder(organisationId: number, scopes: Scope[]): Promise<Caller> {
  const { key } = await apiKeyRepository(organisationId, localTable()).create("Test", scopes, someone);
  return { organisationId, ...clientOf(base_url, key) };
}

/** Creates a key through the API, by default its example. */
export async function createKey(admin: Caller, value?: object) {
  const body = value && JSON.stringify(value);
  const answer = await admin.call(createApiKey, createApiKey.path, { body });
  assert.equal(answer.status, 201, textOf(answer));
  return z.strictObject(CreatedApiKey.shape).parse(JSON.parse(textOf(answer)));
}

export function personOf(organisationId: number, role: string): Caller {
  const person = people.find((one) => one.organisation_id === organisationId && one.role === role);
  if (!person) throw new Error(`Organisation ${organisationId} has nobody who is ${role}.`);
  return { organisationId, ...clientOf(base_url, person.id_token) };
}

function holderOf(organisationId: number, scopes: readonly Scope[]): Caller {
  const organisation = organisations.find(({ organisation_id }) => organisation_id === organisationId);
  const found = organisation?.keys.find((key) => key.scopes.join() === scopes.join());
  if (!found) throw new Error(`Organisation ${organisationId} has no key with just ${scopes}.`);
  return { organisationId, ...clientOf(base_url, found.key) };
}
