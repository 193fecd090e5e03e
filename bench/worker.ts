import { makeRequest } from "./makeRequest.ts";

/*
 * Repeats a request, one at a time as Lambda does. For each message with a request and a number, it makes that number and sends back the
 * processor time of one in milliseconds, with the last answer.
 */

// Lambda's runtime has opened the streams before it loads a function.
process.stdout;
process.stderr;

process.on("message", async ({ request, times }) => {
  const before = process.cpuUsage();
  let answer: unknown;
  for (let count = 0; count < times; count++) answer = await makeRequest(request);
  const { user, system } = process.cpuUsage(before);
  process.send?.({ ms: (user + system) / 1_000 / times, answer });
});
process.once("disconnect", () => process.exit());
