import { ListBucketsCommand, PutBucketTaggingCommand, S3Client } from "@aws-sdk/client-s3";

/**
 * Gives the buckets of a stack the tag by which CDK's function knows that it may empty them. The template has it, and the emulator's
 * CloudFormation tags no bucket.
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
