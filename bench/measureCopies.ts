import { ChangesQuery, changingTypes } from "../functions/changes/change.ts";
import { changeRepository } from "../functions/changes/changeRepository.ts";
import { clockOf } from "../functions/table/clock.ts";
import { openTable } from "../functions/table/table.ts";
import { median, type Row, secondsOf } from "./row.ts";

/** A copy of all types may cost this many times as much as one type after the other. */
const maximumRatio = 1.3;

/** Full copies of an organisation by its changes: their read units and their time, of all types and of one type after the other. */
export async function* measureCopies(organisationId: number, rounds: number): AsyncGenerator<Row> {
  const usage = { calls: {}, capacityUnits: 0 };
  // Changes are shown after ten seconds.
  const clock = clockOf(() => Date.now() + 60_000);
  const changes = changeRepository(organisationId, openTable(usage, clock));
  const copy = async (types?: string) => {
    let rows = 0;
    for (let cursor: string | undefined, hasMore = true; hasMore; ) {
      const query = { per_page: "200", ...(types && { types }), ...(cursor && { cursor }) };
      const { data, pagination } = await changes.list(ChangesQuery.parse(query));
      rows += data.length;
      cursor = pagination.resume_cursor;
      hasMore = pagination.has_more;
    }
    return rows;
  };
  const copies = {
    byType: async () => {
      for (const types of changingTypes) await copy(types);
    },
    all: () => copy(),
  };
  const taken = { byType: [] as number[], all: [] as number[] };
  const units = { byType: 0, all: 0 };
  const what = `a copy of ${(await copy()).toLocaleString("en")} rows by their changes`;
  for (let round = 0; round < rounds; round++) {
    for (const name of ["byType", "all"] as const) {
      const before = usage.capacityUnits;
      taken[name].push(await secondsOf(copies[name]));
      units[name] = usage.capacityUnits - before;
    }
  }
  yield { what: `read units of ${what}, type by type`, measured: units.byType };
  yield { what: `read units of ${what}, all types`, measured: units.all, maximum: maximumRatio * units.byType };
  const baseline = median(taken.byType);
  yield { what: `time of ${what}, type by type`, unit: "s", measured: baseline, baseline };
  yield { what: `time of ${what}, all types`, unit: "s", measured: median(taken.all), baseline };
}
