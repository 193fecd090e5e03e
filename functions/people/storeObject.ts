import { PutObjectCommand, S3Client } from "@aws-sdk/client-s3";

let client: S3Client | undefined;

/** Writes an object of NDJSON, or replaces it. */
export async function storeObject(bucket: string, key: string, text: string): Promise<void> {
  client ??= new S3Client({ requestHandler: { connectionTimeout: 5_000, socketTimeout: 30_000 } });
  // For an empty string, the SDK omits the length that S3 requires. For an empty buffer it sends the length.
  const Body = Buffer.from(text);
  await client.send(new PutObjectCommand({ Bucket: bucket, Key: key, Body, ContentType: "application/x-ndjson" }));
}
