import { median } from "../median.ts";
import type { Row } from "../row.ts";

/** Measures candidates in turns, so that other load on the machine affects all of them. The first is the baseline. */
export async function* inTurns<Candidate extends { what: string }>(
  candidates: Candidate[],
  rounds: number,
  unit: string,
  measure: (candidate: Candidate) => Promise<number>,
): AsyncGenerator<Row> {
  const taken = candidates.map((candidate) => ({ candidate, times: [] as number[] }));
  for (let round = 0; round < rounds; round++) {
    for (const { candidate, times } of taken) times.push(await measure(candidate));
  }
  const [baseline] = taken.map(({ times }) => median(times));
  for (const { candidate, times } of taken) yield { what: candidate.what, unit, measured: median(times), baseline };
}
