import { totalOf } from "../costs/monthlyCosts.ts";
import type { Io } from "../shared/command.ts";
import { type Rehearsed, Skipped, type Step, steps } from "./steps.ts";

interface Choice {
  /** The first step, and the one after the last; by default all are taken. */
  from?: string | undefined;
  before?: string;
  /** Reasons for steps that cannot be taken here, by their names. */
  skipped?: Readonly<Record<string, string>>;
}

const dollarsAMinute = totalOf("a stage") / 43_800;

const row = (...[name = "", ...cells]: string[]) =>
  `${name.padEnd(15)}${cells.map((cell) => cell.padStart(9)).join("")}`;

/** Takes steps one after the other until one fails, and prints a table at the end. @returns the exit code: 1 if some are left. */
export async function takeSteps(
  stage: Rehearsed,
  { stdout }: Pick<Io, "stdout">,
  choice: Choice = {},
): Promise<number> {
  const { from, before, skipped = {} } = choice;
  const names = Object.keys(steps);
  const chosen = names.slice(from ? names.indexOf(from) : 0, before ? names.indexOf(before) : names.length);
  const rows = [row("step", "result", "minutes", "US$")];
  // The one that failed, or was interrupted, is taken again.
  let next = chosen[0];
  for (const [index, name] of chosen.entries()) {
    if (stage.signal.aborted) break;
    stdout.write(`\n${name}\n`);
    const startMs = performance.now();
    const { result, seen } = await outcomeOf(steps[name], stage, skipped[name]);
    const minutes = (performance.now() - startMs) / 60_000;
    rows.push(row(name, result, minutes.toFixed(1), (minutes * dollarsAMinute).toFixed(2)));
    stdout.write(`${seen.trim().replaceAll(/^/gm, "  ")}\n${rows.at(-1)}\n`);
    if (result === "FAILED") break;
    next = chosen[index + 1];
  }
  const prices = `US$: the stage's fixed price in these minutes. A million requests cost ${totalOf("a million requests")} besides.`;
  stdout.write(`\n${rows.join("\n")}\n${prices}\n`);
  if (next === undefined) return 0;
  const again = `npm run ops -- rehearse --stage ${stage.name} --from`;
  stdout.write(`\nGo on with: ${again} ${next}\nOr remove the stage, when CloudFormation is idle: ${again} destroy\n`);
  return 1;
}

async function outcomeOf(step: Step | undefined, stage: Rehearsed, reason: string | undefined) {
  try {
    if (step === undefined || reason !== undefined) throw new Skipped(reason);
    return { result: "passed", seen: await step(stage) };
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    return error instanceof Skipped
      ? { result: "skipped", seen: `skipped: ${message}` }
      : { result: "FAILED", seen: message };
  }
}
