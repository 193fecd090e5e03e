import { execFileSync } from "node:child_process";
import { join } from "node:path";

/** Runs a program of this folder over inputs, a JSON value per line. @returns its output for each. JARS is the folder of its libraries. */
export function runJava(program: string, inputs: readonly unknown[]): unknown[] {
  const { JARS } = process.env;
  if (JARS === undefined) throw new Error("Run `.ci/run runtimes`, which downloads the libraries and sets JARS.");
  const output = execFileSync("java", ["-cp", `${JARS}/*`, join(import.meta.dirname, program)], {
    input: inputs.map((input) => JSON.stringify(input)).join("\n"),
    encoding: "utf8",
    maxBuffer: 64 * 1024 * 1024,
  });
  return output
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line));
}
