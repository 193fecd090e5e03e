/** Records as NDJSON. */
export function ndjson(records: readonly unknown[]): string {
  return records.map((record) => `${JSON.stringify(record)}\n`).join("");
}

/** Bytes as a stream of chunks. */
export async function* inChunks(bytes: Buffer, chunkBytes = 65_536): AsyncGenerator<Buffer> {
  for (let start = 0; start < bytes.length; start += chunkBytes) yield bytes.subarray(start, start + chunkBytes);
}
