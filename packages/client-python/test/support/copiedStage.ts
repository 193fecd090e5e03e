import assert from "node:assert/strict";
import { changingTypes } from "../../../../functions/resources/index.ts";
import { clientOf } from "../../../../test/support/http/client.ts";
import { startChildService } from "../../../../test/support/service/childService.ts";
import { eventIds, integratorStage } from "../../../../test/support/service/integratorStage.ts";
import { recordsOfAllTypes } from "../../../../test/support/sync/mirror.ts";
import { assertTables, installCommand, type Tables } from "./command.ts";
import { editingProxy } from "./editingProxy.ts";

/* Installs the command that a stage serves, to copy the stage's data through a proxy. */

export const stage = await integratorStage((await startChildService()).description);
export const command = await installCommand(stage.baseUrl);
export const proxy = await editingProxy(stage.baseUrl);
export const client = clientOf(stage.baseUrl, stage.apiKey);
export const environment = { BASE_URL: proxy.baseUrl, API_KEY: stage.apiKey };

const [eventId = 0] = eventIds;

/** One record of each type that the feed has. */
export const recordsOf = (id: number, text: string) => recordsOfAllTypes(id, eventId, 1, text);

export const copy = (target: string, ...options: string[]) => command.run(["copy", target, ...options], environment);

/** @returns the number of changes that the run reports. */
export async function assertRuns(target: string, ...options: string[]): Promise<number> {
  const { code, stdout, stderr } = await copy(target, ...options);
  assert.equal(code, 0, stderr);
  return Number(/: ([\d,]+) changes\.$/m.exec(stdout)?.[1]?.replaceAll(",", ""));
}

/** The rows that plain reads return. */
export async function expectedTables(): Promise<Tables> {
  const changes = (await client.rows("/v1/changes")).filter(({ change }) => change === "upserted");
  const rowOf = ({ type, event_id, data }: Record<string, unknown>) => ({
    ...(type === "ticket_category" && { event_id }),
    ...Object(data),
  });
  return Object.fromEntries(changingTypes.map((type) => [type, changes.filter((row) => row.type === type).map(rowOf)]));
}

/** @param select of the copy's rows. */
export async function assertCopied(target: string, tables: Tables, select = (copied: Tables) => copied): Promise<void> {
  assertTables(target, select(await command.read(target)), tables);
}
