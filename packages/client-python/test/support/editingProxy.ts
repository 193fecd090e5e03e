import { createServer } from "node:http";
import { listen } from "../../../../test/support/http/listen.ts";

type Json = Record<string, unknown>;

/** Changes what passes. A test replaces the members that it needs. */
interface Edits {
  /** The rows of a page. */
  perPage?: number;
  /** Runs before a request for changes is forwarded, and may return the headers and status of another response. */
  before?: (request: number) => Promise<Fault | undefined> | Fault | undefined;
  /** Changes a response's JSON. */
  edit?: (path: string, body: Json) => void;
}

interface Fault {
  status: number;
  headers: Record<string, string>;
  body: Json;
}

/** Forwards requests to a service, and counts those for changes. */
export async function editingProxy(baseUrl: string) {
  const state: { changes: number; paths: string[]; edits: Edits } = { changes: 0, paths: [], edits: {} };
  const server = createServer(async (incoming, answer) => {
    const url = new URL(incoming.url ?? "", baseUrl);
    state.paths.push(url.pathname);
    const { perPage, before, edit } = state.edits;
    if (perPage !== undefined && url.searchParams.has("per_page")) url.searchParams.set("per_page", String(perPage));
    const fault = url.pathname === "/v1/changes" ? await before?.(++state.changes) : undefined;
    if (fault) {
      answer.writeHead(fault.status, { "Content-Type": "application/problem+json", ...fault.headers });
      answer.end(JSON.stringify(fault.body));
      return;
    }
    const { authorization } = incoming.headers;
    const response = await fetch(url, { headers: authorization === undefined ? {} : { authorization } });
    const type = response.headers.get("Content-Type") ?? "";
    const body = Buffer.from(await response.arrayBuffer());
    const isJson = type.includes("json");
    const json: Json = isJson ? JSON.parse(body.toString()) : {};
    edit?.(url.pathname, json);
    answer.writeHead(response.status, { "Content-Type": type });
    answer.end(isJson && edit ? JSON.stringify(json) : body);
  });
  return { baseUrl: await listen(server), state };
}
