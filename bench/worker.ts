import { makeRequest } from "./makeRequest.ts";

/*
 * Repeats the request in its argument, one at a time as Lambda does. For each message with a number of requests, it makes that number and
 * sends back the processor time of one, in microseconds.
 */
const request = JSON.parse(process.argv[2] ?? "");

process.on("message", async (requests: number) => {
  const before = process.cpuUsage();
  for (let count = 0; count < requests; count++) await makeRequest(request);
  const { user, system } = process.cpuUsage(before);
  process.send?.((user + system) / requests);
});
process.once("disconnect", () => process.exit());
