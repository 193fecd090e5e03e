import type { AuditEntry } from "../organisation/organisation.ts";

/** An erasure or restoration of one organisation, from its one or two audit entries. */
interface Run {
  organisation: number;
  action: AuditEntry["action"];
  source: string | undefined;
  started: string;
  /** Undefined if it was interrupted or still runs. */
  completed: string | undefined;
}

/** The restored table, and the option `--stage` of the commands that change it. */
interface Restored {
  to: Date;
  target: string;
  stageOption: string;
}

/**
 * What to do with the organisations that were erased or restored after the time of a restored table. An erasure counts once it has started, a
 * restoration when it is complete.
 *
 * @param audit of the old table, then of the restored one: what was done in the latter alone has settled the organisation there.
 */
export function describeErasures(audit: AuditEntry[], there: AuditEntry[], restored: Restored): string {
  const known = new Set(audit.map(({ id }) => id));
  const after = runsOf(audit).filter(({ started, completed }) => new Date(completed ?? started) > restored.to);
  const settled = runsOf(there.filter(({ id }) => !known.has(id)));
  return [...Map.groupBy(after, ({ organisation }) => organisation).values()]
    .filter((runs) => !settled.some((run) => settles(run, runs)))
    .map((runs) => adviceOn(runs, restored))
    .join("");
}

/** Whether a run in the restored table came after all in the old one, and did the same as the last of them. */
function settles(run: Run, runs: Run[]): boolean {
  const last = decisive(runs);
  const isLater = runs.every(({ started }) => started < run.started);
  return (
    run.organisation === last?.organisation && run.action === last.action && isLater && run.completed !== undefined
  );
}

function runsOf(audit: AuditEntry[]): Run[] {
  return [...Map.groupBy(audit, ({ run_id }) => run_id).values()].flatMap((entries) => {
    const [{ organisation_id: organisation, action, source, time: started } = {}] = entries;
    if (organisation == null || started === undefined || (action !== "erasure" && action !== "restoration")) return [];
    const completed = entries.find(({ state }) => state === "completed")?.time;
    return [{ organisation, action, source, started, completed }];
  });
}

function decisive(runs: Run[]): Run | undefined {
  return runs.findLast(({ action, completed }) => action === "erasure" || completed !== undefined);
}

function adviceOn(runs: Run[], { target, stageOption }: Restored): string {
  const last = decisive(runs);
  const [{ organisation } = { organisation: 0 }] = runs;
  const story = runs.map(describeRun).join(", ");
  const restore = (from: string, options: string) =>
    `npm run ops -- organisation restore --organisation ${organisation} --actor NAME ${from}${options}`;
  const inTarget = `${stageOption} --table ${target}`;
  const erase = `npm run ops -- organisation erase --organisation ${organisation} --confirm ${organisation} --actor NAME${inTarget}`;
  if (last?.action === "erasure") {
    return `Organisation ${organisation} was ${story}. ${target} has it as of the chosen time.
  To switch the stage to ${target}, erase the organisation there again first:
    ${erase}
  To recover only this organisation, do not erase it there and do not switch. Copy it from there:
    ${restore(`--from-table ${target}`, stageOption)}\n`;
  }
  const again = restore((last ?? runs.at(-1))?.source ?? "(--from-table NAME | --from-export FILE)", inTarget);
  if (!runs.some(({ action }) => action === "erasure")) {
    return `Organisation ${organisation} was ${story}. ${target} lacks what that wrote. Before the switch, restore it there, too:
    ${again}\n`;
  }
  return `Organisation ${organisation} was ${story}. ${target} has it as of the chosen time: do not erase it for good.
  Only if it must be as it was restored, for example from an export made after the chosen time, replace it there before the switch:
    ${erase}
    ${again}\n`;
}

function describeRun({ action, source, started, completed }: Run): string {
  const what = action === "erasure" ? "erased" : `restored with ${source}`;
  return completed === undefined ? `${what} (begun at ${started}, not completed)` : `${what} at ${completed}`;
}
