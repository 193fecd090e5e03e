import { maximumMessageBytes, messageText, sendMessage } from "../queue.ts";

/** SQS charges per 64 KiB, so larger messages save nothing. This is large enough for few calls and small enough to retry. */
const packedBytes = 256 * 1024;
/** Messages sent concurrently. */
const maximumUnderWay = 8;
/** Messages being filled, each for a different organisation: enough for mixed files, at 4 MiB of memory. */
const maximumOpen = 16;

/** Packs records into messages of the feed, each with the records of one organisation. */
export interface MessagePacker {
  /** Waits while enough messages are being sent. @returns the reason if a record, given as JSON text, cannot be sent. */
  add: (organisationId: number, record: string) => Promise<string | undefined>;
  /** Sends the remaining records. When it resolves, all added records are in the queue. */
  finish: () => Promise<void>;
}

export interface PackedMessage {
  body: string;
  records: number;
  organisationId: number;
}

/** @param send sends one message. The next `add` or `finish` throws its errors. */
export function messagePacker(send: (message: PackedMessage) => Promise<void>): MessagePacker {
  const open = new Map<number, { records: string[]; bytes: number }>();
  const underWay = new Set<Promise<void>>();

  async function flush(organisationId: number): Promise<void> {
    const pack = open.get(organisationId);
    if (!pack) return;
    open.delete(organisationId);
    while (underWay.size >= maximumUnderWay) await Promise.race(underWay);
    const { records } = pack;
    const sending = send({ body: `[${records.join(",")}]`, records: records.length, organisationId });
    underWay.add(sending);
    // A failed send stays in the set, so the next wait throws its error.
    sending.then(
      () => underWay.delete(sending),
      () => undefined,
    );
  }

  return {
    async add(organisationId, record) {
      const text = messageText(record);
      const added = Buffer.byteLength(text) + 1;
      if (added + 1 > maximumMessageBytes)
        return `Longer than the ${maximumMessageBytes / 1024} KiB limit of a message`;
      if ((open.get(organisationId)?.bytes ?? 0) + added > packedBytes) await flush(organisationId);
      const [oldest] = open.keys();
      if (oldest !== undefined && open.size >= maximumOpen && !open.has(organisationId)) await flush(oldest);
      const pack = open.get(organisationId) ?? { records: [], bytes: 0 };
      pack.records.push(text);
      pack.bytes += added;
      open.set(organisationId, pack);
      return undefined;
    },
    async finish() {
      for (const organisationId of [...open.keys()]) await flush(organisationId);
      await Promise.all(underWay);
    },
  };
}

/** Sends a message in its organisation's group, so that a bulk load of one organisation does not delay the others' records. */
export async function sendPacked(queueUrl: string, { body, organisationId }: PackedMessage): Promise<void> {
  await sendMessage(queueUrl, body, { groupId: String(organisationId) });
}
