import { once } from "node:events";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { buffer } from "node:stream/consumers";

const forwarded = ["authorization", "content-type", "idempotency-key"];

/** A service in front of another, which adds a member to each JSON object in the responses. */
export async function newMembersProxy(target: string): Promise<{ url: string; server: Server }> {
  const server = createServer(async (request, response) => {
    const { url = "", method = "", headers } = request;
    const sent = forwarded.flatMap((name) => (headers[name] === undefined ? [] : [[name, String(headers[name])]]));
    const body = method === "GET" ? {} : { body: await buffer(request) };
    const answer = await fetch(target + url, { method, headers: Object.fromEntries(sent), ...body });
    const text = JSON.stringify(JSON.parse(await answer.text(), withNewMember));
    response.writeHead(answer.status, { "Content-Type": answer.headers.get("Content-Type") ?? "" }).end(text);
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, server };
}

function withNewMember(_name: string, value: unknown): unknown {
  const isObject = typeof value === "object" && value !== null && !Array.isArray(value);
  return isObject ? { ...value, added_later: { values: [1, null] } } : value;
}
