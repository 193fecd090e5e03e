import { startAnsweringService } from "../test/support/childService.ts";
import type { Row } from "./row.ts";

const maximumMilliseconds = 8_000;

/** How long `npm start` takes until it answers a first request. */
export async function measureStart(): Promise<Row[]> {
  const startMs = performance.now();
  const { description, stop } = await startAnsweringService();
  const key = description.organisations[0]?.keys[0]?.key;
  const { status } = await fetch(`${description.base_url}/v1/events`, { headers: { Authorization: `Bearer ${key}` } });
  const milliseconds = performance.now() - startMs;
  await stop();
  if (status !== 200) throw new Error(`The service answered with ${status}.`);
  return [
    {
      what: "npm start to the first answer",
      unit: "ms",
      measured: milliseconds,
      maximum: maximumMilliseconds,
      kind: "time",
    },
  ];
}
