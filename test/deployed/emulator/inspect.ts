import { ListBucketsCommand, PutBucketTaggingCommand, S3Client } from "@aws-sdk/client-s3";
import * as z from "zod";
import { callAws } from "../support/callAws.ts";

const Events = z.object({ events: z.array(z.object({ message: z.string(), timestamp: z.number() })) });

/** The maximum number of lines in one response. */
const limit = 10_000;

/** All lines of a log group, as one text. Some are repeated. */
export async function logsOf(logGroupName: string): Promise<string> {
  const operation = "Logs_20140328.FilterLogEvents";
  const messages: string[] = [];
  let startTime = 0;
  let isFull = true;
  while (isFull) {
    const answer = await callAws({ service: "logs", operation, input: { logGroupName, limit, startTime } });
    const { events } = Events.parse(JSON.parse(answer));
    messages.push(...events.map(({ message }) => message));
    isFull = events.length === limit;
    // The emulator sorts lines by their time, and has no token for the next page.
    startTime = events.at(-1)?.timestamp ?? startTime;
  }
  return messages.join("\n");
}

/**
 * Gives a stack's buckets the tag that lets CDK's function empty them. The template has the tag, but the emulator's CloudFormation tags
 * no buckets.
 */
export async function tagBuckets(stack: string): Promise<void> {
  const client = new S3Client({});
  const { Buckets = [] } = await client.send(new ListBucketsCommand({}));
  for (const { Name: Bucket = "" } of Buckets) {
    if (!Bucket.startsWith(stack)) continue;
    const Tagging = { TagSet: [{ Key: "aws-cdk:auto-delete-objects", Value: "true" }] };
    await client.send(new PutBucketTaggingCommand({ Bucket, Tagging }));
  }
}
