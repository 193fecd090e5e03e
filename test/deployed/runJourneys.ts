import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { TokenHolder } from "../support/stageDescription.ts";
import type { makeKeys } from "./makeKeys.ts";
import { run } from "./run.ts";

/** A stage, and what its journeys need to know of it. */
export interface DescribedStage {
  baseUrl: string;
  people: readonly TokenHolder[];
  organisations: Awaited<ReturnType<typeof makeKeys>>;
}

/**
 * Runs every journey that needs no more than HTTP against a stage.
 *
 * @param directory where the description may lie, keys and all.
 * @returns how many of them passed, and what the others report, by name.
 */
export async function runJourneys({ baseUrl, ...description }: DescribedStage, directory: string) {
  const file = join(directory, "description.json");
  writeFileSync(file, JSON.stringify(description), { mode: 0o600 });
  const report = await run(
    process.execPath,
    ["--test", "--test-reporter=tap", "test/journeys.test.ts"],
    { BASE_URL: baseUrl, SERVICE_DESCRIPTION: file },
    // The second tells that a journey failed.
    [0, 1],
  );
  const failures = new Map(
    [...report.matchAll(/^not ok \d+ - (.+)\n((?: .*\n)*)/gm)].map(([, name = "", reason = ""]) => [name, reason]),
  );
  return { passed: report.match(/^ok /gm)?.length ?? 0, failures };
}
