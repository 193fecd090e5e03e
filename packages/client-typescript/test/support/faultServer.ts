import assert from "node:assert/strict";
import { createServer } from "node:http";
import { listen } from "../../../../test/support/http/listen.ts";
import { type Fault, faults, type Outcome, type Seen } from "./faults.ts";

/** A client's behaviour at a fault. */
export interface Met {
  outcome: Outcome;
  seen: Seen[];
  /** The seconds before each further try, as reported. */
  retriesIn: number[];
}

/** Calls a client with each fault in turn, and asserts that it does what all clients do. */
export async function assertMeetsFaults(meet: (urls: string[]) => Promise<Met[]>): Promise<void> {
  /** For each fault, the Idempotency-Key of each try, or an empty text. */
  const tries: string[][] = faults.map(() => []);
  const server = createServer((request, answer) => {
    const index = Number(request.url?.split("/")[1]);
    const { fates = [] }: Partial<Fault> = faults[index] ?? {};
    const keys = tries[index] ?? [];
    const fate = fates[Math.min(keys.length, fates.length - 1)];
    keys.push(String(request.headers["idempotency-key"] ?? ""));
    // Some clients do not see an answer that comes before they have sent the body.
    request.resume().on("end", () => (fate ? fate(request, answer) : answer.end('{"redirected":true}')));
  });
  const origin = await listen(server);
  const all = await meet(faults.map((_, index) => `${origin}/${index}`));
  for (const [index, { name, seen, outcome, wait }] of faults.entries()) {
    const met = all[index];
    const keys = tries[index] ?? [];
    assert.deepEqual({ outcome: met?.outcome, seen: met?.seen }, { outcome, seen }, name);
    assert.equal(keys.length, seen.length, `${name}: the client reports other tries than those that it makes`);
    assert.equal(new Set(keys).size, 1, `${name}: the tries have different keys`);
    const { retriesIn = [] } = met ?? {};
    assert.equal(retriesIn.length, seen.length - 1, `${name}: the number of waits`);
    const [first = 0] = retriesIn;
    if (wait) assert.ok(first >= wait[0] && first <= wait[1], `${name}: ${first} s`);
  }
}
