import { appendFileSync } from "node:fs";
import { createServer } from "node:http";
import { text } from "node:stream/consumers";
import { Webhook } from "standardwebhooks";

const [port = "", secret = "", file = ""] = process.argv.slice(2);
const webhook = new Webhook(secret);

/** An integrator's receiver: verifies each message, appends it with its id to a file, and responds. It may be killed at any moment. */
createServer(async (incoming, outgoing) => {
  const body = await text(incoming);
  webhook.verify(body, Object(incoming.headers));
  appendFileSync(file, `${JSON.stringify({ id: incoming.headers["webhook-id"], ...JSON.parse(body) })}\n`);
  outgoing.writeHead(204).end();
}).listen(Number(port), "127.0.0.1", () => process.send?.("listening"));
