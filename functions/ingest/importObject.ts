import { Readable } from "node:stream";
import { setTimeout as wait } from "node:timers/promises";
import { GetObjectCommand, PutObjectCommand, S3Client } from "@aws-sdk/client-s3";
import { pauseMs } from "./untilTaken.ts";

/** An object of a bucket with the content that it had once: with another, its ETag is another. */
export interface ImportObject {
  bucket: string;
  key: string;
  /** Without the quotes that HTTP puts around it. */
  etag: string;
  sizeBytes: number;
}

/** A text in a bucket, and the ETag by which it is known not to have changed, as S3 gives it. */
export interface StoredText {
  text: string;
  etag: string;
}

/** There is no such object any more, or it has other content. */
export class ObjectGone extends Error {
  override readonly name = "ObjectGone";
}

/** Reads in a row that may break off without a byte. */
const maximumBrokenReads = 5;

let client: S3Client | undefined;

/** The process's one client. At `AWS_ENDPOINT_URL_S3`, where that is an IP address, the SDK puts the bucket into the path by itself. */
function s3(): S3Client {
  client ??= new S3Client({
    requestHandler: { connectionTimeout: 5_000, socketTimeout: 30_000 },
    // S3 knows the checksum of a whole object only, and it may take several reads to read one. TLS guards the bytes on their way.
    responseChecksumValidation: "WHEN_REQUIRED",
  });
  return client;
}

/**
 * The bytes of an object from one on. A read that breaks off goes on from where it was.
 *
 * @throws ObjectGone
 */
export async function* readObject(object: ImportObject, startByte: number): AsyncGenerator<Buffer> {
  // S3 takes no range that begins at the end. An empty object has no other, and is asked for whole.
  if (startByte > 0 && startByte === object.sizeBytes) return;
  let nextByte = startByte;
  let brokenReads = 0;
  do {
    const body = await open(object, nextByte);
    try {
      for await (const chunk of body) {
        nextByte += chunk.length;
        brokenReads = 0;
        yield chunk;
      }
    } catch (error) {
      brokenReads += 1;
      if (brokenReads === maximumBrokenReads) throw error;
      await wait(pauseMs(brokenReads));
    }
  } while (nextByte < object.sizeBytes);
}

/** A text, or undefined where there is none. */
export async function readText(bucket: string, key: string): Promise<StoredText | undefined> {
  try {
    const { Body, ETag } = await s3().send(new GetObjectCommand({ Bucket: bucket, Key: key }));
    if (!Body || ETag === undefined) throw new Error("S3 answered without a body or an ETag.");
    return { text: await Body.transformToString(), etag: ETag };
  } catch (error) {
    if (isRefusal(error, "NoSuchKey")) return undefined;
    throw error;
  }
}

/**
 * Writes a JSON text in place of the one that is known to be there, and of no other: S3 refuses where another has been written since.
 *
 * @param replaced the ETag of the one that is there, or undefined where there is none.
 * @returns the ETag of the new one.
 */
export async function writeText(
  { bucket, key }: Pick<ImportObject, "bucket" | "key">,
  text: string,
  replaced: string | undefined,
): Promise<string> {
  const condition = replaced === undefined ? { IfNoneMatch: "*" } : { IfMatch: replaced };
  const input = { Bucket: bucket, Key: key, Body: text, ContentType: "application/json", ...condition };
  const { ETag } = await s3().send(new PutObjectCommand(input));
  if (ETag === undefined) throw new Error("S3 answered without an ETag.");
  return ETag;
}

async function open({ bucket, key, etag }: ImportObject, startByte: number): Promise<Readable> {
  const Range = startByte > 0 ? `bytes=${startByte}-` : undefined;
  try {
    const { Body } = await s3().send(new GetObjectCommand({ Bucket: bucket, Key: key, IfMatch: `"${etag}"`, Range }));
    if (!(Body instanceof Readable)) throw new Error("S3 answered without a body.");
    return Body;
  } catch (error) {
    if (!isRefusal(error, "NoSuchKey", "PreconditionFailed")) throw error;
    throw new ObjectGone("The object was deleted or replaced.", { cause: error });
  }
}

function isRefusal(error: unknown, ...names: string[]): boolean {
  return error instanceof Error && names.includes(error.name);
}
