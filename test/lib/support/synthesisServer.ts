import { createServer } from "node:http";
import { text } from "node:stream/consumers";

/*
 * Synthesises stacks for the tests of a run, on the Unix socket that its argument names. Loading the CDK takes seconds, and longer
 * within jest, so this process does it once for all files.
 */
const syntheses = new Map<string, string>();
const [, , socketPath] = process.argv;

// On a busy machine, a synthesis takes longer than Node gives a request by default.
createServer({ headersTimeout: 0, requestTimeout: 0 }, async (incoming, outgoing) => {
  const settings = await text(incoming);
  try {
    const { synthesised } = await import("./synthesised.ts");
    if (!syntheses.has(settings)) syntheses.set(settings, JSON.stringify(synthesised(JSON.parse(settings))));
    outgoing.end(syntheses.get(settings));
  } catch (error) {
    outgoing.writeHead(500).end(String(error));
  }
}).listen(socketPath, () => process.send?.("listening"));
process.once("disconnect", () => process.exit());
