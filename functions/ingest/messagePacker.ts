import { maximumMessageBytes, messageText } from "./queue.ts";

/** SQS charges by 64 KiB, so larger messages cost no less; this is large enough to be worth a call, and small enough to be tried again. */
const packedBytes = 256 * 1024;
/** Messages that are under way at a time. */
const maximumUnderWay = 8;

/** Takes records for the feed, as many to a message as fit. */
export interface MessagePacker {
  /**
   * Takes a record's JSON text, waiting while there are enough messages under way.
   * @returns why it cannot be sent, if it cannot.
   */
  add: (record: string) => Promise<string | undefined>;
  /** Sends what is left and waits for all of it: then everything that was taken is in the queue. */
  finish: () => Promise<void>;
}

/** @param send sends one message of so many records; what it throws is thrown to whoever adds or finishes next. */
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
    // One that fails stays, and so is thrown by the next wait.
    sending.then(
      () => underWay.delete(sending),
      () => undefined,
    );
  }

  return {
    async add(record) {
      const text = messageText(record);
      const added = Buffer.byteLength(text) + 1;
      if (added + 1 > maximumMessageBytes) return `Longer than the ${maximumMessageBytes / 1024} KiB of a message`;
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
