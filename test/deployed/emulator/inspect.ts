import { ListBucketsCommand, PutBucketTaggingCommand, S3Client } from "@aws-sdk/client-s3";
import * as z from "zod";
import { callAws } from "../support/callAws.ts";

const Events = z.object({ events: z.array(z.object({ message: z.string() })) });

/** The maximum number of lines in one response. */
const limit = 10_000;

/** The first lines of a log group, as one text. */
export async function logsOf(logGroupName: string): Promise<string> {
  const operation = "Logs_20140328.FilterLogEvents";
  const answer = await callAws({ service: "logs", operation, input: { logGroupName, limit } });
  return Events.parse(JSON.parse(answer))
    .events.map(({ message }) => message)
    .join("\n");
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
