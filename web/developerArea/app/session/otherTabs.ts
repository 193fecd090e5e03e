import * as z from "../zod.ts";

const Message = z.union([
  z.object({ kind: z.literal("signedOut"), subject: z.string() }),
  z.object({ kind: z.literal("active"), at: z.number() }),
]);
type Message = z.infer<typeof Message>;

/** The page's other tabs in this browser. Only pages of this origin can receive the messages. */
export class OtherTabs {
  readonly #channel = new BroadcastChannel("developer-area-tabs");

  send(message: Message): void {
    this.#channel.postMessage(message);
  }

  /** Returns a function that stops listening. */
  listen(receive: (message: Message) => void): () => void {
    const parse = ({ data }: MessageEvent) => {
      const message = Message.safeParse(data);
      if (message.success) receive(message.data);
    };
    this.#channel.addEventListener("message", parse);
    return () => this.#channel.removeEventListener("message", parse);
  }
}
