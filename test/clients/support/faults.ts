import { once } from "node:events";
import { createServer, type RequestListener, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout as wait } from "node:timers/promises";
import { problemResponse } from "../../../functions/api/problemResponse.ts";
import { cursorExpired, Problem, type ProblemCode, serviceUnavailable } from "../../../functions/problem.ts";
import { BalancePayment } from "../../../functions/resources/balancePayment.ts";
import { exampleOf } from "../../../functions/resources/fields.ts";

/** What happens to one try. */
type Fate = RequestListener;

/** How a call ends: with a result, an error response, or without a response. */
export type Outcome = { ok: true } | { status: number; code: string | null; isExpired: boolean } | { lost: true };

/** What every client does with a fault. A read, a payment with an Idempotency-Key, or an update without. */
export interface Row {
  name: string;
  call: "read" | "record" | "update";
  /** The fates of the tries in turn; the last applies to all later ones. */
  fates: Fate[];
  tries: number;
  outcome: Outcome;
}

const json = { "Content-Type": "application/json" };
const ok: Fate = (request, answer) => {
  const body = request.method === "POST" ? exampleOf(BalancePayment) : { id: 1 };
  answer.writeHead(200, json).end(JSON.stringify(body));
};
const status =
  (code: number, headers: Record<string, string> = {}, body = "<html>Proxy</html>"): Fate =>
  (_, answer) =>
    answer.writeHead(code, { "Content-Type": "text/html", ...headers }).end(body);
const problem =
  (thrown: Problem): Fate =>
  (_, answer) => {
    const { statusCode, headers, body } = problemResponse(thrown, "request-1");
    answer.writeHead(statusCode, headers).end(body);
  };
const hangUp: Fate = (request) => request.socket.destroy();
const breakOff: Fate = (_, answer) => {
  answer.writeHead(200, { ...json, "Content-Length": 100 });
  answer.write('{"na', () => answer.destroy());
};

const unavailable = problem(serviceUnavailable(undefined));
const busy = status(429, { "Retry-After": "5" });
const success: Outcome = { ok: true };
const failure = (status: number, code: ProblemCode | null = null, isExpired = false): Outcome => ({
  ...{ status, code, isExpired },
});
const inTenSeconds = () => new Date(Date.now() + 10_000).toUTCString();
const soon: Fate = (request, answer) => status(503, { "Retry-After": inTenSeconds() })(request, answer);

/** The faults that all clients meet in the same way. */
export const rows: readonly Row[] = [
  { name: "429 of a read", call: "read", fates: [busy, ok], tries: 2, outcome: success },
  { name: "503 of a read", call: "read", fates: [unavailable, ok], tries: 2, outcome: success },
  { name: "500 of a read", call: "read", fates: [status(500), ok], tries: 2, outcome: success },
  { name: "a proxy's 502 of a read", call: "read", fates: [status(502), ok], tries: 2, outcome: success },
  { name: "a proxy's 504 of a read", call: "read", fates: [status(504), ok], tries: 2, outcome: success },
  { name: "a lost response of a read", call: "read", fates: [hangUp, ok], tries: 2, outcome: success },
  { name: "a truncated response of a read", call: "read", fates: [breakOff, ok], tries: 2, outcome: success },
  {
    name: "503 without an end",
    call: "read",
    fates: [unavailable],
    tries: 4,
    outcome: failure(503, "service_unavailable"),
  },
  { name: "lost responses without an end", call: "read", fates: [hangUp], tries: 4, outcome: { lost: true } },
  {
    name: "Retry-After above a minute",
    call: "read",
    fates: [status(429, { "Retry-After": "61" }), ok],
    tries: 1,
    outcome: failure(429),
  },
  { name: "Retry-After with a date", call: "read", fates: [soon, ok], tries: 2, outcome: success },
  { name: "503 without Retry-After", call: "read", fates: [status(503), ok], tries: 2, outcome: success },
  {
    name: "Retry-After with nonsense",
    call: "read",
    fates: [status(503, { "Retry-After": "soon" }), ok],
    tries: 2,
    outcome: success,
  },
  {
    name: "404",
    call: "read",
    fates: [problem(new Problem("not_found", "No such event."))],
    tries: 1,
    outcome: failure(404, "not_found"),
  },
  {
    name: "an expired cursor",
    call: "read",
    fates: [problem(cursorExpired("Too old."))],
    tries: 1,
    outcome: failure(410, "cursor_expired", true),
  },
  { name: "a page of HTML with 200", call: "read", fates: [status(200)], tries: 1, outcome: failure(200) },
  { name: "invalid JSON with 200", call: "read", fates: [status(200, json, '{"na')], tries: 1, outcome: failure(200) },
  { name: "an empty body with 200", call: "read", fates: [status(200, json, "")], tries: 1, outcome: failure(200) },
  {
    name: "503 and a lost response of a payment",
    call: "record",
    fates: [unavailable, hangUp, ok],
    tries: 3,
    outcome: success,
  },
  {
    name: "409 of a payment",
    call: "record",
    fates: [problem(new Problem("conflict", "Too much."))],
    tries: 1,
    outcome: failure(409, "conflict"),
  },
  { name: "429 of an update", call: "update", fates: [busy, ok], tries: 2, outcome: success },
  {
    name: "503 of an update",
    call: "update",
    fates: [unavailable, ok],
    tries: 1,
    outcome: failure(503, "service_unavailable"),
  },
  { name: "a lost response of an update", call: "update", fates: [hangUp, ok], tries: 1, outcome: { lost: true } },
];

/** A server at whose path `/N` the tries have the fates of row N. */
export class FaultServer {
  private readonly server: Server;
  /** For each row, the Idempotency-Key of each try, or an empty text. */
  readonly tries: string[][] = rows.map(() => []);
  private baseUrl = "";

  constructor() {
    this.server = createServer((request, answer) => {
      const index = Number(request.url?.split("/")[1]);
      const tries = this.tries[index] ?? [];
      const fates = rows[index]?.fates ?? [];
      const fate = fates[Math.min(tries.length, fates.length - 1)];
      tries.push(String(request.headers["idempotency-key"] ?? ""));
      // Some clients do not see an answer that comes before they have sent the body.
      request.resume().on("end", () => fate?.(request, answer));
    });
  }

  async start(): Promise<this> {
    await once(this.server.listen(0, "127.0.0.1"), "listening");
    this.baseUrl = `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
    return this;
  }

  /** The base URL for a row. */
  urlOf(index: number): string {
    return `${this.baseUrl}/${index}`;
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections();
    this.server.close();
    await wait(0);
  }
}
