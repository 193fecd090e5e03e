import { createHmac, createSecretKey, hash, type KeyObject } from "node:crypto";
import { toPlain } from "../../functions/table/firstTry.ts";
import type { Attributes } from "../../functions/table/item.ts";

/*
 * The least that calls to DynamoDB can cost in Node: Signature Version 4 by hand, and JSON. No retries, time-outs, errors or
 * changing credentials.
 */
const { AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY, AWS_REGION, AWS_ENDPOINT_URL_DYNAMODB = "" } = process.env;
const { protocol, host, hostname, port } = new URL(AWS_ENDPOINT_URL_DYNAMODB);
// Imported as a module, node:http would load Node's WebSocket client too.
const { Agent, request } = process.getBuiltinModule(protocol === "https:" ? "node:https" : "node:http");
const agent = new Agent({ keepAlive: true });

/** Makes the calls one after another and returns the rows of the last as JSON. */
export async function handler({ calls }: { calls: { action: string; input: object }[] }) {
  let answer = "";
  for (const { action, input } of calls) answer = await send(action, JSON.stringify(input));
  const { Item, Items = [Item] }: { Item: Attributes; Items?: Attributes[] } = JSON.parse(answer);
  return { statusCode: 200, body: JSON.stringify(Items.map(toPlain)) };
}

function send(action: string, body: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const headers = signedHeaders(`DynamoDB_20120810.${action}`, body);
    const outgoing = request({ hostname, port, agent, method: "POST", headers }, (incoming) => {
      const chunks: Buffer[] = [];
      incoming.on("data", (chunk) => chunks.push(chunk));
      incoming.on("end", () => resolve(Buffer.concat(chunks).toString()));
    });
    outgoing.on("error", reject);
    outgoing.end(body);
  });
}

function signedHeaders(target: string, body: string) {
  const time = new Date().toISOString().replace(/[-:]|\.\d{3}/g, "");
  const scope = `${time.slice(0, 8)}/${AWS_REGION}/dynamodb/aws4_request`;
  const lines = `host:${host}\nx-amz-date:${time}\nx-amz-target:${target}\n`;
  const names = "host;x-amz-date;x-amz-target";
  const canonical = `POST\n/\n\n${lines}\n${names}\n${hash("sha256", body)}`;
  const text = `AWS4-HMAC-SHA256\n${time}\n${scope}\n${hash("sha256", canonical)}`;
  const signature = createHmac("sha256", signingKey(scope)).update(text).digest("hex");
  const credential = `Credential=${AWS_ACCESS_KEY_ID}/${scope}`;
  return {
    Host: host,
    "Content-Type": "application/x-amz-json-1.0",
    "Content-Length": Buffer.byteLength(body),
    "X-Amz-Date": time,
    "X-Amz-Target": target,
    Authorization: `AWS4-HMAC-SHA256 ${credential}, SignedHeaders=${names}, Signature=${signature}`,
  };
}

let kept: { scope: string; key: KeyObject } | undefined;

/** The key of a day. As an object, since Node signs with it in a seventh of the time that bytes take. */
function signingKey(scope: string): KeyObject {
  if (kept?.scope !== scope) {
    const hmac = (key: Buffer, text: string) => createHmac("sha256", key).update(text).digest();
    kept = { scope, key: createSecretKey(scope.split("/").reduce(hmac, Buffer.from(`AWS4${AWS_SECRET_ACCESS_KEY}`))) };
  }
  return kept.key;
}
