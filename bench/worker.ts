/*
 * Repeats a request, one at a time as Lambda does. For each message with a request and a number, it makes that number and sends back the
 * processor time of one in milliseconds.
 */

/** The functions of a request, in order, and their events: the authorizer, whose context goes into the next one's event, and the endpoint. */
export type Request = readonly { directory: string; event: Record<string, unknown> & { requestContext?: object } }[];

// Lambda's runtime has opened the streams before it loads a function.
process.stdout;
process.stderr;

async function makeRequest(request: Request): Promise<void> {
  let authorizer: object | undefined;
  for (const { directory, event } of request) {
    // Node caches imports.
    const { handler } = await import(`${directory}/index.js`);
    const requestContext = { ...event.requestContext, authorizer };
    const answer = await handler({ ...event, requestContext }, { getRemainingTimeInMillis: () => 8_000 });
    if ((answer.statusCode ?? 0) >= 300) throw new Error(`A request returned ${answer.statusCode}: ${answer.body}`);
    authorizer = answer.context;
  }
}

process.on("message", async ({ request, times }) => {
  const before = process.cpuUsage();
  for (let count = 0; count < times; count++) await makeRequest(request);
  const { user, system } = process.cpuUsage(before);
  process.send?.((user + system) / 1_000 / times);
});
process.once("disconnect", () => process.exit());
