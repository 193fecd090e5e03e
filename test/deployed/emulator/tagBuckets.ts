import { ListBucketsCommand, PutBucketTaggingCommand, S3Client } from "@aws-sdk/client-s3";

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
