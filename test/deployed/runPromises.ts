import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import * as z from "zod";
import type { TokenHolder } from "../support/service/stageDescription.ts";
import { temporaryDirectory } from "../support/temporaryDirectory.ts";
import type { makeKeys } from "./people.ts";
import { run } from "./support/run.ts";

/** A stage, and what the tests of its promises need to know about it. */
interface DescribedStage {
  baseUrl: string;
  people: readonly TokenHolder[];
  organisations: Awaited<ReturnType<typeof makeKeys>>;
}

/** The part of jest's report that is used here. */
const Report = z.object({
  testResults: z.array(
    z.object({
      message: z.string(),
      assertionResults: z.array(
        z.object({ title: z.string(), status: z.string(), failureMessages: z.array(z.string()) }),
      ),
    }),
  ),
});

/**
 * Tests every promise that needs only HTTP against a stage.
 *
 * @param selection jest's options and environment variables that choose some of the promises or of their cases.
 * @returns the number of kept promises, and the messages of the broken ones, by name.
 */
export async function runPromises(
  { baseUrl, ...description }: DescribedStage,
  selection: { options?: string[]; environment?: NodeJS.ProcessEnv } = {},
) {
  const directory = temporaryDirectory();
  const file = join(directory, "description.json");
  writeFileSync(file, JSON.stringify(description), { mode: 0o600 });
  const report = join(directory, "report.json");
  await run(
    "npm",
    [
      "run",
      "jest",
      "--",
      "--selectProjects",
      "promises",
      // Pages write into the same organisation.
      "--runInBand",
      "--json",
      "--outputFile",
      report,
      ...(selection.options ?? []),
    ],
    { BASE_URL: baseUrl, SERVICE_DESCRIPTION: file, ...selection.environment },
    // Jest exits with 1 if a test failed.
    { exitCodes: [0, 1] },
  );
  const { testResults } = Report.parse(JSON.parse(readFileSync(report, "utf8")));
  const results = testResults.flatMap(({ assertionResults }) => assertionResults);
  if (results.length === 0) throw new Error(testResults.map(({ message }) => message).join("\n"));
  const failures = new Map(
    results
      .filter(({ status }) => status === "failed")
      .map(({ title, failureMessages }) => [title, failureMessages.join("\n")]),
  );
  return { passed: results.filter(({ status }) => status === "passed").length, failures };
}
