import { type ProgramOptions, runProgram } from "./runProgram.ts";

export type ImportOptions = ProgramOptions;

/** Runs `npm run import -- ...` to its end. */
export function runImport(commandLine: string[], options: ImportOptions = {}) {
  return runProgram("import/import", commandLine, options);
}
