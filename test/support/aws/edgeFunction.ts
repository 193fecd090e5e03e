import { spawnSync } from "node:child_process";
import { runInNewContext } from "node:vm";

/** The event of a viewer's request, without the methods that the runtime adds. */
export interface ViewerEvent {
  viewer: { ip: string };
  request: {
    method: string;
    uri: string;
    querystring: Record<string, HeaderValue>;
    headers: Record<string, HeaderValue>;
    cookies: Record<string, HeaderValue>;
  };
  /**
   * The result of `rawQueryString`, which is undefined for a request without a question mark
   * (https://docs.aws.amazon.com/AmazonCloudFront/latest/DeveloperGuide/general-helper-methods.html).
   */
  query?: string | undefined;
}

export interface HeaderValue {
  value: string;
  multiValue?: { value: string }[];
}

/** The result of a function of the distribution: a response, or the request to forward. */
export type EdgeResult = ReturnType<typeof JSON.parse>;

/**
 * A program that prints the results of a function's code for events: a JSON array, in pieces that are JSON strings, because njs truncates a line
 * after 2 KB. CloudFront runs functions in strict mode. `rawQueryString` is a method of CloudFront, not of the engine.
 */
function programOf(code: string, events: readonly ViewerEvent[]): string {
  return `"use strict";
${code}
function resultOf(event) {
  const query = event.query;
  delete event.query;
  event.request.rawQueryString = function () { return query; };
  try {
    return handler(event);
  } catch (error) {
    return { thrown: String(error) };
  }
}
const results = JSON.stringify(JSON.parse(${JSON.stringify(JSON.stringify(events))}).map(resultOf));
for (let start = 0; start < results.length; start += 300) console.log(JSON.stringify(results.slice(start, start + 300)));
`;
}

function resultsIn(lines: string[]): EdgeResult[] {
  return JSON.parse(lines.map((line) => JSON.parse(line)).join(""));
}

/** Runs a function of the distribution in njs, whose messages CloudFront Functions show. @throws Error if njs rejects the code. */
export function runInNjs(code: string, events: readonly ViewerEvent[]): EdgeResult[] {
  const { stdout, stderr, error } = spawnSync(process.env.NJS ?? "njs", ["-"], {
    input: programOf(code, events),
    encoding: "utf8",
    maxBuffer: 64 * 1024 * 1024,
  });
  if (error) throw new Error(`njs did not start: ${error.message}. .ci/run installs it.`);
  // njs also ends with 0 after an error.
  if (!stdout.startsWith('"')) throw new Error(`njs failed: ${stderr}${stdout}`);
  return resultsIn(stdout.trimEnd().split("\n"));
}

/** Runs a function of the distribution in Node. */
export function runInNode(code: string, events: readonly ViewerEvent[]): EdgeResult[] {
  const lines: string[] = [];
  const console = { log: (line: string) => lines.push(line) };
  runInNewContext(programOf(code, events), { console });
  return resultsIn(lines);
}
