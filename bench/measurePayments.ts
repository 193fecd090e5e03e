import { randomUUID } from "node:crypto";
import { balanceRepository } from "../functions/records/balanceRepository.ts";
import { openTable } from "../functions/table/table.ts";
import { generatedId } from "./generatedRecords.ts";
import { median, type Row, secondsOf } from "./row.ts";

const writers = 16;

/** Balance payments for one event, of one writer and of many at the same time: the time of a payment, and its units. */
export async function* measurePayments(organisationId: number, rounds: number, payments: number): AsyncGenerator<Row> {
  const usage = { calls: {}, capacityUnits: 0 };
  const repository = balanceRepository(organisationId, openTable(usage));
  const pay = async (atOnce: number) => {
    let left = payments;
    await Promise.all(
      Array.from({ length: atOnce }, async () => {
        while (left-- > 0) {
          const recorder = { keyId: "bench", keyPrefix: "tsk_00000000", idempotencyKey: randomUUID() };
          await repository.record(generatedId, { type: "payment", amount: 1 }, recorder);
        }
      }),
    );
  };
  const taken = { one: [] as number[], many: [] as number[] };
  const units = { one: [] as number[], many: [] as number[] };
  for (let round = 0; round < rounds; round++) {
    for (const name of ["one", "many"] as const) {
      const before = usage.capacityUnits;
      taken[name].push(await secondsOf(() => pay(name === "one" ? 1 : writers)));
      units[name].push((usage.capacityUnits - before) / payments);
    }
  }
  const unitsOfOne = median(units.one);
  const msOfOne = (1_000 * median(taken.one)) / payments;
  const many = `${writers} writers at once for one event`;
  yield { what: "units of a balance payment, one writer", measured: unitsOfOne, baseline: unitsOfOne };
  yield { what: `units of a balance payment, ${many}`, measured: median(units.many), baseline: unitsOfOne };
  yield { what: "time of a balance payment, one writer", unit: "ms", measured: msOfOne, baseline: msOfOne };
  const msOfMany = (1_000 * median(taken.many)) / payments;
  yield { what: `time of a balance payment, ${many}`, unit: "ms", measured: msOfMany, baseline: msOfOne };
}
