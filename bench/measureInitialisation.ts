import { execFileSync } from "node:child_process";
import { directoryOf, functionNames } from "./functions.ts";
import { median } from "./median.ts";
import type { Row } from "./row.ts";

const maximumRatio = 1.2;

interface Start {
  /** Of the processor: the time by the clock tells more of what else the machine does. */
  milliseconds: number;
  /** Parts of Node itself that were loaded. */
  builtins: number;
}

/**
 * What it takes to load each function, beside a bare one that only imports and makes the DynamoDB client: in fresh
 * processes that take turns, without the start of Node itself.
 */
export function measureInitialisation(turns: number): Row[] {
  const names = ["bare", ...functionNames];
  const starts = new Map(names.map((name) => [name, [] as Start[]]));
  for (let turn = 0; turn < turns; turn++) for (const name of names) starts.get(name)?.push(start(name));
  const middle = (name: string, of: keyof Start) => median((starts.get(name) ?? []).map((each) => each[of]));
  return functionNames.flatMap((name): Row[] => [
    {
      what: `initialisation of ${name}`,
      unit: "ms",
      measured: middle(name, "milliseconds"),
      baseline: middle("bare", "milliseconds"),
      maximumRatio,
      kind: "time",
    },
    {
      what: `parts of Node loaded by ${name}`,
      unit: "",
      measured: middle(name, "builtins"),
      baseline: middle("bare", "builtins"),
      kind: "time",
    },
  ]);
}

function start(name: string): Start {
  // Lambda's runtime has opened the streams before it loads a function.
  const program = `
    process.stdout; process.stderr;
    const { length } = process.moduleLoadList;
    const before = process.cpuUsage();
    await import(${JSON.stringify(`${directoryOf(name)}/index.mjs`)});
    const { user, system } = process.cpuUsage(before);
    const milliseconds = (user + system) / 1_000;
    console.log(JSON.stringify({ milliseconds, builtins: process.moduleLoadList.length - length }));`;
  return JSON.parse(execFileSync(process.execPath, ["--input-type=module", "-e", program], { encoding: "utf8" }));
}
