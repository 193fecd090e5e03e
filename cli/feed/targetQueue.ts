import { describeError } from "../../functions/ingest/describeError.ts";
import { useLocalCredentials } from "../../local/dynamodb/localCredentials.ts";
import { readServiceDescription } from "../../local/serviceDescription.ts";
import { UsageError } from "../../local/usageError.ts";

/**
 * Makes this process ready to use a queue: one of AWS, or one that stands in for it where the URL is http, or the running local service's.
 *
 * @returns its URL.
 * @throws UsageError where there is none.
 */
export async function openQueue(queueUrl: string | undefined): Promise<string> {
  if (queueUrl === undefined) return useLocalService();
  const url = URL.parse(queueUrl);
  if (url?.protocol === "http:") useLocalCredentials();
  else if (url?.protocol === "https:") useRegionOf(url);
  else throw new UsageError(`--queue-url takes a URL, not ${queueUrl}.`);
  return queueUrl;
}

/** @throws UsageError that tells which queue it was, where a call to it fails. */
export async function usingQueue<Result>(queueUrl: string, call: () => Promise<Result>): Promise<Result> {
  try {
    return await call();
  } catch (error) {
    if (error instanceof UsageError) throw error;
    throw new UsageError(`Cannot use queue ${queueUrl}: ${describeError(error)}.`, { cause: error });
  }
}

/** A queue's URL names its region, and a request that is signed for another is refused. */
function useRegionOf({ hostname }: URL): void {
  const region = /^sqs\.([\w-]+)\.amazonaws\.com$/.exec(hostname)?.[1];
  if (region !== undefined) process.env.AWS_REGION = region;
}

async function useLocalService(): Promise<string> {
  const service = await readServiceDescription();
  if (!service) {
    throw new UsageError(
      "No local service runs here. Start it with npm start, or name a queue of AWS with --queue-url URL.",
    );
  }
  useLocalCredentials();
  return service.feed_queue_url;
}
