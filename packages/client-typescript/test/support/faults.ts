import type { RequestListener } from "node:http";
import { gzipSync } from "node:zlib";
import { problemResponse } from "../../../../functions/api/problemResponse.ts";
import { cursorExpired, Problem, type ProblemCode, serviceUnavailable } from "../../../../functions/problem.ts";
import { BalancePayment } from "../../../../functions/resources/balancePayment.ts";
import { exampleOf } from "../../../../functions/resources/fields.ts";

/** The response to one try, or its failure. */
type Fate = RequestListener;

/** The end of a call: a result, an error response, or no response. */
export type Outcome = { ok: true } | { status: number; code: string | null; isExpired: boolean } | { lost: true };

/** A try as the client reports it: its status, a success without the API's JSON, or no response. */
export type Seen = number | "unreadable" | "lost";

/** A fault, and the behaviour that every client has. */
export interface Fault {
  name: string;
  /** A read, a payment with an Idempotency-Key, or an update without. */
  call: "read" | "record" | "update";
  /** The fates of the tries in turn; the last applies to all later ones. */
  fates: Fate[];
  seen: Seen[];
  outcome: Outcome;
  /** The least and the most seconds before the second try, if the fault names them. */
  wait?: readonly [number, number];
  /** The client's own by default. */
  timeoutMs?: number;
}

const json = { "Content-Type": "application/json" };
const ok: Fate = (request, answer) => {
  const body = request.method === "POST" ? exampleOf(BalancePayment) : { id: 1 };
  answer.writeHead(200, json).end(JSON.stringify(body));
};
const status =
  (code: number, headers: Record<string, string> = {}, body: string | Buffer = "<html>Proxy</html>"): Fate =>
  (_, answer) =>
    answer.writeHead(code, { "Content-Type": "text/html", ...headers }).end(body);
const problem =
  (thrown: Problem): Fate =>
  (_, answer) => {
    const { statusCode, headers, body } = problemResponse(thrown, "request-1");
    answer.writeHead(statusCode, headers).end(body);
  };
const hangUp: Fate = ({ socket }) => socket.destroy();
const silence: Fate = () => {};
/** A part of the body arrives again and again. */
const trickle: Fate = (_, answer) => {
  answer.writeHead(200, json);
  const timer = setInterval(() => answer.write(" "), 10);
  answer.on("close", () => clearInterval(timer));
};
/** Only the beginning of the body arrives. */
const breakOff =
  (headers: Record<string, string>): Fate =>
  (_, answer) => {
    answer.writeHead(200, { ...json, ...headers });
    answer.write('{"na', () => answer.destroy());
  };
/** A response line by line, which need not be HTTP. */
const lines =
  (...texts: string[]): Fate =>
  ({ socket }) =>
    socket.end(texts.join("\r\n"));
const success200 = (body: string | Buffer) => status(200, json, body);

const whole = JSON.stringify({ id: 1, values: Array.from({ length: 400 }, (_, index) => Math.sin(index)) });
const gzipped = gzipSync(whole);
const damaged = Buffer.from(gzipped).fill(0x55, 30, 200);
/** Bytes that are called gzip, with their own length. */
const asGzip = (body: string | Buffer, code = 200) =>
  status(code, { ...json, "Content-Encoding": "gzip", "Content-Length": String(Buffer.byteLength(body)) }, body);

const unavailable = problem(serviceUnavailable(undefined));
const success: Outcome = { ok: true };
const lost: Outcome = { lost: true };
const failure = (status: number, code: ProblemCode | null = null, isExpired = false): Outcome => ({
  ...{ status, code, isExpired },
});
const fault = (name: string, call: Fault["call"], fates: Fate[], seen: Seen[], outcome: Outcome = success): Fault => ({
  ...{ name, call, fates, seen, outcome },
});

/** Faults that may pass: each is retried if the request may be repeated. */
const passing: [name: string, Fate, Seen, Outcome][] = [
  ["a proxy's 408", status(408), 408, failure(408)],
  ["a proxy's 425", status(425), 425, failure(425)],
  ["a proxy's 500", status(500), 500, failure(500)],
  ["a proxy's 502", status(502), 502, failure(502)],
  ["a proxy's 504", status(504), 504, failure(504)],
  ["503 of the API", unavailable, 503, failure(503, "service_unavailable")],
  ["a connection that closes", hangUp, "lost", lost],
  ["a body that breaks off", breakOff({ "Content-Length": "100" }), "lost", lost],
  ["chunks that break off", breakOff({ "Transfer-Encoding": "chunked" }), "lost", lost],
  ["damaged gzip", asGzip(damaged), "lost", lost],
  ["damaged gzip with 404", asGzip(damaged, 404), "lost", lost],
  ["JSON that is called gzip", asGzip(whole), "lost", lost],
  ["two lengths", lines("HTTP/1.1 200 OK", "Content-Length: 5", "Content-Length: 9", "", "{}"), "lost", lost],
  ["an invalid header", lines("HTTP/1.1 502 Bad Gateway", "X-Bad header", "", ""), "lost", lost],
  ["another protocol", lines("220 mail.example.org ESMTP", ""), "lost", lost],
  ["another protocol's 101", lines("HTTP/1.1 101 Switching Protocols", "Upgrade: websocket", "", ""), "lost", lost],
  ["gzip without its end", asGzip(gzipped.subarray(0, -100)), "unreadable", failure(200)],
  ["gzip without a byte", asGzip(""), "unreadable", failure(200)],
  ["JSON without its end", success200(whole.slice(0, -100)), "unreadable", failure(200)],
  ["a success without a body", success200(""), "unreadable", failure(200)],
  ["a success without content", status(204, {}, ""), "unreadable", failure(204)],
  ["a page of HTML with 200", status(200), "unreadable", failure(200)],
  ["a page of HTML with 203", status(203), "unreadable", failure(203)],
  ["null", success200("null"), "unreadable", failure(200)],
  ["a list instead of an object", success200("[]"), "unreadable", failure(200)],
  ["a number that JSON lacks", success200('{"id":NaN}'), "unreadable", failure(200)],
  ["invalid UTF-8", success200(Buffer.from('{"name":"\xff"}', "latin1")), "unreadable", failure(200)],
  ["UTF-16", success200(Buffer.from('{"id":1}', "utf16le")), "unreadable", failure(200)],
];

/** Values of `Retry-After` that are not above a minute, with the seconds that they mean. */
const delays: [value: string, least: number, most?: number][] = [
  ["5", 5],
  ["0", 0],
  ["60", 60],
  ["2.5", 2.5],
  // Some of the seconds may pass before the client reads it.
  ["in 50 seconds", 10, 50],
  ["Fri, 20 Nov 2015 00:00:00 GMT", 0],
  ...[
    "",
    "-1",
    "soon",
    "1e1",
    "5, 5",
    "2099-01-01",
    "about 2099",
    "Sat, 31 Feb 2099 00:00:00 GMT",
    "Fri, 20 Nov 2099 00:00:00 +0100",
  ].map((nonsense): [string, number] => [nonsense, 0]),
];
const retryAfter =
  (value: string): Fate =>
  (request, answer) => {
    const date = new Date(Date.now() + 50_000).toUTCString();
    status(429, { "Retry-After": value.startsWith("in ") ? date : value })(request, answer);
  };

const redirect =
  (code: number, path: string): Fate =>
  (request, answer) => {
    const Location = path.replace("ELSEWHERE", `http://localhost:${request.socket.localPort}`);
    status(code, { Location })(request, answer);
  };

/** The faults that all clients meet in the same way. */
export const faults: readonly Fault[] = [
  ...passing.flatMap(([name, fate, seen, outcome]) => [
    fault(`${name}, of a read`, "read", [fate, ok], [seen, 200]),
    fault(`${name}, of a payment`, "record", [fate, fate, ok], [seen, seen, 200]),
    fault(`${name}, of an update`, "update", [fate, ok], [seen], outcome),
    fault(`${name}, without an end`, "read", [fate], [seen, seen, seen, seen], outcome),
  ]),
  ...[silence, trickle].flatMap((fate) => [
    { ...fault("a time-out of a read", "read", [fate], ["lost", "lost", "lost", "lost"], lost), timeoutMs: 100 },
    { ...fault("a time-out of an update", "update", [fate], ["lost"], lost), timeoutMs: 100 },
  ]),
  ...delays.map(([value, least, most = least]) => ({
    ...fault(`Retry-After: ${value}`, "update", [retryAfter(value), ok], [429, 200]),
    wait: [least, most + 1] as const,
  })),
  ...["61", "60.5", "9".repeat(400), "Fri, 20 Nov 2099 00:00:00 GMT"].map((value) =>
    fault(`Retry-After: ${value}`, "read", [retryAfter(value), ok], [429], failure(429)),
  ),
  ...[301, 302, 303, 307, 308].flatMap((code) =>
    (["read", "record", "update"] as const).flatMap((call) => [
      fault(`${code} to another path, of a ${call}`, call, [redirect(code, "/other")], [code], failure(code)),
      fault(
        `${code} to another origin, of a ${call}`,
        call,
        [redirect(code, "ELSEWHERE/other")],
        [code],
        failure(code),
      ),
    ]),
  ),
  ...[400, 401, 403, 409, 422, 501].map((code) =>
    fault(`a proxy's ${code}`, "read", [status(code), ok], [code], failure(code)),
  ),
  fault("404", "read", [problem(new Problem("not_found", "No."))], [404], failure(404, "not_found")),
  fault("409 of a payment", "record", [problem(new Problem("conflict", "No."))], [409], failure(409, "conflict")),
  fault("an expired cursor", "read", [problem(cursorExpired("Old."))], [410], failure(410, "cursor_expired", true)),
  fault("several faults", "record", [unavailable, hangUp, status(200), ok], [503, "lost", "unreadable", 200]),
  fault("the last of several faults", "read", [hangUp, hangUp, hangUp, unavailable], ["lost", "lost", "lost", 503], {
    ...failure(503, "service_unavailable"),
  }),
];
