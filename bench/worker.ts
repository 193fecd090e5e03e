import { median } from "./median.ts";

/*
 * Asks a function, and its authorizer before it, as Lambda does: in a process of their own, which calls one after another. Its argument
 * is Work; to a message { requests } it answers with a Round.
 */

/** A bundle and the event that it gets. */
export interface Step {
  directory: string;
  event: Record<string, unknown> & { requestContext?: object };
}

export interface Work {
  /** Its context goes into the function's event. */
  authorizer?: Step;
  function: Step;
}

export interface Round {
  /** Of one request, on average. */
  processorMicroseconds: number;
  /** Of one request, in the middle. */
  wallMicroseconds: number;
  /** The last answer. */
  status: number;
  body: string;
}

const work: Work = JSON.parse(process.argv[2] ?? "");
const authorizer = work.authorizer && (await load(work.authorizer));
const handler = await load(work.function);

process.on("message", async ({ requests }: { requests: number }) => process.send?.(await round(requests)));
process.send?.("ready");
// Whoever asked is gone.
process.once("disconnect", () => process.exit());

async function load({ directory }: Step) {
  return (await import(`${directory}/index.mjs`)).handler;
}

async function request() {
  const authorization = await authorizer?.(work.authorizer?.event);
  const { event } = work.function;
  const requestContext = { ...event.requestContext, authorizer: authorization?.context };
  return handler({ ...event, requestContext }, { getRemainingTimeInMillis: () => 8_000 });
}

async function round(requests: number): Promise<Round> {
  const wallMicroseconds: number[] = [];
  const before = process.cpuUsage();
  let answer = { statusCode: 0, body: "" };
  for (let count = 0; count < requests; count++) {
    const startMs = performance.now();
    answer = await request();
    wallMicroseconds.push((performance.now() - startMs) * 1_000);
  }
  const { user, system } = process.cpuUsage(before);
  return {
    processorMicroseconds: (user + system) / requests,
    wallMicroseconds: median(wallMicroseconds),
    status: answer.statusCode,
    body: answer.body,
  };
}
