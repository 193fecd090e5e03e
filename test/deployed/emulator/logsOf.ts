import * as z from "zod";
import { ask } from "./ask.ts";

const Events = z.object({ events: z.array(z.object({ message: z.string() })) });

/** The maximum number of lines in one response. */
const limit = 10_000;

/** The first lines of a log group, as one text. */
export async function logsOf(logGroupName: string, endpoint: string): Promise<string> {
  const operation = "Logs_20140328.FilterLogEvents";
  const answer = await ask(endpoint, { service: "logs", operation, input: { logGroupName, limit } });
  return Events.parse(JSON.parse(answer))
    .events.map(({ message }) => message)
    .join("\n");
}
