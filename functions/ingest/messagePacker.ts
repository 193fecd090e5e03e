import { maximumMessageBytes, messageText } from "./queue.ts";

/** SQS charges per 64 KiB, so larger messages save nothing. This is large enough for few calls and small enough to retry. */
const packedBytes = 256 * 1024;
/** Messages that are sent at the same time. */
const maximumUnderWay = 8;

/** Packs records into messages of the feed. */
export interface MessagePacker {
  /**
   * Adds a record's JSON text. Waits while enough messages are being sent.
   * @returns the reason why the record cannot be sent, if it cannot.
   */
  add: (record: string) => Promise<string | undefined>;
  /** Sends the remaining records. When it resolves, all added records are in the queue. */
  finish: () => Promise<void>;
}

/** @param send sends one message with the given number of records. The next `add` or `finish` throws its errors. */
export function messagePacker(send: (body: string, records: number) => Promise<void>): MessagePacker {
  let records: string[] = [];
  let bytes = 0;
  const underWay = new Set<Promise<void>>();

  async function flush(): Promise<void> {
    if (records.length === 0) return;
    while (underWay.size >= maximumUnderWay) await Promise.race(underWay);
    const sending = send(`[${records.join(",")}]`, records.length);
    records = [];
    bytes = 0;
    underWay.add(sending);
    // A failed one stays in the set, so the next wait throws its error.
    sending.then(
      () => underWay.delete(sending),
      () => undefined,
    );
  }

  return {
    async add(record) {
      const text = messageText(record);
      const added = Buffer.byteLength(text) + 1;
      if (added + 1 > maximumMessageBytes)
        return `Longer than the ${maximumMessageBytes / 1024} KiB limit of a message`;
      if (bytes + added > packedBytes) await flush();
      records.push(text);
      bytes += added;
      return undefined;
    },
    async finish() {
      await flush();
      await Promise.all(underWay);
    },
  };
}
