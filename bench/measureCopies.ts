import { type ChangesPage, ChangesQuery, changingTypes } from "../functions/changes/change.ts";
import { changeRepository } from "../functions/changes/changeRepository.ts";
import { listChanges } from "../functions/endpoints/listChanges.ts";
import { clockOf } from "../functions/table/clock.ts";
import { openTable } from "../functions/table/table.ts";
import { requestOf, withQuery } from "./functions.ts";
import { makeRequest } from "./makeRequest.ts";
import type { Call } from "./recordingProxy.ts";
import { median, type Row, secondsOf } from "./row.ts";

/** A copy of all types may cost this many times as much as one type after the other. */
const maximumRatio = 1.3;
const perPage = "200";
const connections = 16;

/** Reads a page of an organisation's changes. */
type ReadPage = (query: Record<string, string>) => Promise<Pick<ChangesPage, "data" | "pagination">>;

async function copy(readPage: ReadPage, types: Record<string, string> = {}): Promise<number> {
  let rows = 0;
  for (let cursor: string | undefined, hasMore = true; hasMore; ) {
    const { data, pagination } = await readPage({ per_page: perPage, ...types, ...(cursor && { cursor }) });
    rows += data.length;
    cursor = pagination.resume_cursor;
    hasMore = pagination.has_more;
  }
  return rows;
}

async function copyByType(readPage: ReadPage): Promise<void> {
  for (const types of changingTypes) await copy(readPage, { types });
}

/** Counts the read units of a full copy of all types, beside those of one type after the other. */
export async function* countCopies(key: string, takeCalls: () => Call[]): AsyncGenerator<Row> {
  const readPage: ReadPage = async (query) =>
    JSON.parse(await makeRequest(withQuery(requestOf(listChanges, key, 0), query)));
  const unitsOf = async (work: () => Promise<unknown>) => {
    takeCalls();
    await work();
    return takeCalls().reduce((sum, { action, units }) => sum + (action === "Query" ? units : 0), 0);
  };
  const rows = (await copy(readPage)).toLocaleString("en");
  const byType = await unitsOf(() => copyByType(readPage));
  const what = `read units of a copy of ${rows} rows by their changes`;
  yield { what: `${what}, type by type`, measured: byType };
  const measured = await unitsOf(() => copy(readPage));
  yield { what: `${what}, all types`, measured, maximum: maximumRatio * byType };
}

/** Times full copies: of all types, beside one type after the other, and many at the same time. */
export async function* timeCopies(organisationId: number, rounds: number): AsyncGenerator<Row> {
  // Changes are shown after ten seconds.
  const table = openTable(
    undefined,
    clockOf(() => Date.now() + 60_000),
  );
  const readPage: ReadPage = (query) => changeRepository(organisationId, table).list(ChangesQuery.parse(query));
  const copyAll = () => copy(readPage);
  const rows = (await copyAll()).toLocaleString("en");
  const seconds = { byType: [] as number[], all: [] as number[], many: [] as number[] };
  for (let round = 0; round < rounds; round++) {
    seconds.byType.push(await secondsOf(() => copyByType(readPage)));
    seconds.all.push(await secondsOf(copyAll));
    seconds.many.push(await secondsOf(() => Promise.all(Array.from({ length: connections }, copyAll))));
  }
  const baseline = median(seconds.byType);
  yield { what: `time of a copy of ${rows} rows, type by type`, unit: "s", measured: baseline, baseline };
  yield { what: `time of a copy of ${rows} rows, all types`, unit: "s", measured: median(seconds.all), baseline };
  const each = median(seconds.many) / connections;
  yield { what: `time of each of ${connections} such copies at the same time`, unit: "s", measured: each, baseline };
}
