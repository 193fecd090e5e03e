import { localService, useLocalCredentials } from "../../common/localService.ts";
import { UsageError } from "../../common/usageError.ts";
import { describeError } from "../../functions/table/errors.ts";

/**
 * Sets this process's credentials and region for a queue: one in AWS, a local one if the URL is http, or by default the running local
 * service's.
 *
 * @returns the queue's URL.
 * @throws UsageError if the URL is invalid or no local service runs.
 */
export async function openQueue(queueUrl: string | undefined): Promise<string> {
  if (queueUrl === undefined) return useLocalService();
  const url = URL.parse(queueUrl);
  if (url?.protocol === "http:") useEmulator();
  else if (url?.protocol === "https:") useRegionOf(url);
  else throw new UsageError(`--queue-url must be an http or https URL, not ${queueUrl}.`);
  return queueUrl;
}

/** @throws UsageError that names the queue if the call fails. */
export async function usingQueue<Result>(queueUrl: string, call: () => Promise<Result>): Promise<Result> {
  try {
    return await call();
  } catch (error) {
    if (error instanceof UsageError) throw error;
    throw new UsageError(`Cannot use queue ${queueUrl}: ${describeError(error)}.`, { cause: error });
  }
}

/** An emulator of AWS has queues in each region. */
function useEmulator(): void {
  const { AWS_REGION } = process.env;
  useLocalCredentials();
  if (AWS_REGION !== undefined) process.env.AWS_REGION = AWS_REGION;
}

/** SQS rejects requests signed for a region other than the queue's, which its URL names. */
function useRegionOf({ hostname }: URL): void {
  const region = /^sqs\.([\w-]+)\.amazonaws\.com$/.exec(hostname)?.[1];
  if (region !== undefined) process.env.AWS_REGION = region;
}

async function useLocalService(): Promise<string> {
  const service = await localService("Start it with npm start, or name an AWS queue with --queue-url URL.");
  useLocalCredentials();
  return service.feed_queue_url;
}
