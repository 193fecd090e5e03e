import { execFileSync } from "node:child_process";
import { directoryOf } from "./functions.ts";
import { median } from "./median.ts";
import type { Row } from "./row.ts";

/** The processor time to load a bundle in a fresh process, without the start of Node itself. Bundles take turns. */
export function measureInitialisation(rounds: number): Row[] {
  const taken = ["withoutSdk", "sdkDefaults", "getEvent"].map((name) => ({ name, milliseconds: [] as number[] }));
  for (let round = 0; round < rounds; round++) {
    for (const { name, milliseconds } of taken) milliseconds.push(initialise(name));
  }
  const [baseline] = taken.map(({ milliseconds }) => median(milliseconds));
  return taken.map(({ name, milliseconds }) => ({
    what: `processor time to load ${name}`,
    unit: "ms",
    measured: median(milliseconds),
    baseline,
  }));
}

function initialise(name: string): number {
  // Lambda's runtime has opened the streams before it loads a function.
  const program = `
    process.stdout; process.stderr;
    const before = process.cpuUsage();
    await import(${JSON.stringify(`${directoryOf(name)}/index.mjs`)});
    const { user, system } = process.cpuUsage(before);
    console.log((user + system) / 1_000);`;
  return Number(execFileSync(process.execPath, ["--input-type=module", "-e", program], { encoding: "utf8" }));
}
