import { createHash } from "node:crypto";

/** SQS's type byte for string values. */
const textMark = Buffer.of(1);

/** The MD5 of a message's body, in hexadecimal. */
export function bodyDigest(body: string): string {
  return createHash("md5").update(body).digest("hex");
}

/** The MD5 of a message's attributes, as "Amazon SQS message metadata" defines it; undefined without attributes. */
export function attributesDigest(attributes: Readonly<Record<string, string>>): string | undefined {
  const names = Object.keys(attributes).sort();
  if (names.length === 0) return undefined;
  const hash = createHash("md5");
  for (const name of names) {
    for (const part of [withLength(name), withLength("String"), textMark, withLength(attributes[name] ?? "")]) {
      hash.update(part);
    }
  }
  return hash.digest("hex");
}

function withLength(text: string): Buffer {
  const length = Buffer.alloc(4);
  length.writeUInt32BE(Buffer.byteLength(text));
  return Buffer.concat([length, Buffer.from(text)]);
}
