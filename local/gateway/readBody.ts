import type { IncomingMessage } from "node:http";

/** Reads the whole body; some clients ignore an early response. @returns undefined if it exceeds the limit. */
export async function readBody(incoming: IncomingMessage, maximumBytes: number): Promise<Buffer | undefined> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of incoming) {
    bytes += chunk.length;
    if (bytes <= maximumBytes) chunks.push(chunk);
  }
  return bytes <= maximumBytes ? Buffer.concat(chunks) : undefined;
}
