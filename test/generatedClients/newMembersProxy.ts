import { createServer } from "node:http";
import { buffer } from "node:stream/consumers";
import { listen } from "../support/http/listen.ts";

const forwarded = ["authorization", "content-type", "idempotency-key"];

/** A service in front of another, which adds a member to each JSON object in the responses. */
export async function newMembersProxy(target: string): Promise<string> {
  const server = createServer(async (request, response) => {
    const { url = "", method = "", headers } = request;
    const sent = forwarded.flatMap((name) => (headers[name] === undefined ? [] : [[name, String(headers[name])]]));
    const body = method === "GET" ? {} : { body: await buffer(request) };
    const answer = await fetch(target + url, { method, headers: Object.fromEntries(sent), ...body });
    const text = JSON.stringify(JSON.parse(await answer.text(), withNewMember));
    response.writeHead(answer.status, { "Content-Type": answer.headers.get("Content-Type") ?? "" }).end(text);
  });
  return listen(server);
}

function withNewMember(_name: string, value: unknown): unknown {
  const isObject = typeof value === "object" && value !== null && !Array.isArray(value);
  return isObject ? { ...value, added_later: { values: [1, null] } } : value;
}
