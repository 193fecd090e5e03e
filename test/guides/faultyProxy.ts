import { createServer, request } from "node:http";
import { listen } from "../support/http/listen.ts";

/**
 * Forwards requests to a service, and counts those to `/v1`. Of these, every fourth gets 429 and every fourth 503, with `Retry-After`, so that no
 * request gets a fault twice in a row. `changesStatus` is the response to each request for changes instead. `perPage` replaces the page sizes of
 * requests.
 */
export async function faultyProxy(baseUrl: string) {
  const state: { requests: number; changes: number; changesStatus?: number; perPage?: number } = {
    requests: 0,
    changes: 0,
  };
  const server = createServer((incoming, answer) => {
    const isCounted = incoming.url?.startsWith("/v1/");
    if (isCounted) state.requests += 1;
    const isChanges = incoming.url?.startsWith("/v1/changes");
    if (isChanges) state.changes += 1;
    const everyFourth = isCounted ? [undefined, 429, undefined, 503][state.requests % 4] : undefined;
    const fault = isChanges && state.changesStatus !== undefined ? state.changesStatus : everyFourth;
    if (fault !== undefined) {
      const headers = { "Content-Type": "application/problem+json", "Retry-After": "1" };
      answer.writeHead(fault, headers).end(JSON.stringify({ status: fault, title: "Fault", code: "fault" }));
      return;
    }
    const headers = { ...incoming.headers, host: new URL(baseUrl).host };
    const url = incoming.url?.replace(/(?<=per_page=)\d+/, (given) => String(state.perPage ?? given));
    const forwarded = request(baseUrl + url, { method: incoming.method, headers }, (response) => {
      answer.writeHead(response.statusCode ?? 502, response.headers);
      response.pipe(answer);
    });
    incoming.pipe(forwarded);
  });
  return { baseUrl: await listen(server), state };
}
