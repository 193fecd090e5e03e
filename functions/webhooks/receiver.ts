import { Resolver } from "node:dns/promises";
import { request as httpRequest, type IncomingMessage } from "node:http";
import { request as httpsRequest } from "node:https";
import { isIP, type LookupFunction } from "node:net";
import { setTimeout as wait } from "node:timers/promises";
import { isLoopback, isPublic } from "./publicAddress.ts";

/** Time limit for an attempt, from the name's resolution to the end of the response. */
export const receiverTimeoutMs = 10_000;
const resolvingMs = 3_000;
/** After this time without a connection, the next address is tried as well. */
const connectingMs = 1_000;
/** Addresses that are tried, so that there is time for each. */
const addressesPerFamily = 3;
/** Limits the responses with a status from 100 to 199. */
const maximumInterimResponses = 10;
/** The rest of a response is not read. */
const maximumResponseBytes = 1_024;
/** A longer `Retry-After` is shortened to this. */
const maximumRetryAfterMs = 12 * 60 * 60 * 1_000;

export interface ReceiverResponse {
  /** Null without a response. */
  status: number | null;
  durationMs: number;
  /** A short reason without the receiver's own words; null for a response with any status. */
  error: string | null;
  /** The whole message was sent, so the receiver may have it. */
  isSent: boolean;
  /** The beginning of the response, as UTF-8. */
  response: string;
  /** The delay in the receiver's `Retry-After`, at most 12 hours; null without a valid one. */
  retryAfterMs: number | null;
}

type UntimedResponse = Omit<ReceiverResponse, "durationMs">;

interface Options {
  /** Lets the local service reach this machine over http. */
  allowsLoopback?: boolean;
  timeoutMs?: number;
  /** Addresses of DNS servers instead of the system's, for tests. */
  dnsServers?: readonly string[];
}

/**
 * Posts a message to a receiver. Settles within the time limit and never rejects. Resolves the name once and connects only to the addresses that
 * were checked, which are all public. Follows no redirect and keeps no connection.
 */
export async function post(
  url: string,
  headers: Readonly<Record<string, string>>,
  body: string,
  options: Options = {},
): Promise<ReceiverResponse> {
  const startedMs = performance.now();
  const { timeoutMs = receiverTimeoutMs } = options;
  let response: UntimedResponse;
  try {
    const target = new URL(url);
    const { problem, addresses = [] } = await checkedHost(target, options);
    const leftMs = Math.max(0, startedMs + timeoutMs - performance.now());
    const late = { afterMs: leftMs, error: `No response within ${timeoutMs / 1_000} seconds.` };
    response = problem === undefined ? await exchange(target, { headers, body }, addresses, late) : noResponse(problem);
  } catch (error) {
    response = noResponse(reasonOf(error));
  }
  return { ...response, durationMs: Math.round(performance.now() - startedMs) };
}

/** The reason for not allowing a receiver's URL; undefined if its host has public addresses only. */
export async function hostProblem(url: string, options: Options = {}): Promise<string | undefined> {
  return (await checkedHost(new URL(url), options)).problem;
}

interface CheckedHost {
  addresses?: string[];
  problem?: string;
}

async function checkedHost({ protocol, hostname }: URL, options: Options): Promise<CheckedHost> {
  const { allowsLoopback = false } = options;
  const isHttp = protocol === "http:" && allowsLoopback;
  if (protocol !== "https:" && !isHttp) return { problem: "Must be an https URL." };
  const addresses = await addressesOf(hostname, options);
  if (addresses.length === 0) return { problem: "The host's name does not resolve." };
  const isAllowed = (address: string) => (allowsLoopback && isLoopback(address)) || (!isHttp && isPublic(address));
  return addresses.every(isAllowed) ? { addresses } : { problem: "The host has no public address." };
}

/** All addresses of a host. `dns.lookup` would let slow names block all others, as the process has four threads for it. */
async function addressesOf(
  hostname: string,
  { dnsServers, timeoutMs = receiverTimeoutMs }: Options,
): Promise<string[]> {
  const literal = hostname.replace(/^\[(.*)\]$/, "$1");
  if (isIP(literal) !== 0) return [literal];
  // DNS servers need not know these names (RFC 6761, 6.3).
  if (/(^|\.)localhost\.?$/.test(hostname)) return ["127.0.0.1", "::1"];
  const resolver = new Resolver({ timeout: 1_000, tries: 3 });
  if (dnsServers) resolver.setServers(dnsServers);
  const found: string[] = [];
  // A name may have addresses of one family only.
  const queries = [resolver.resolve4(hostname), resolver.resolve6(hostname)].map((query) =>
    query.then(
      (addresses) => found.push(...addresses),
      () => undefined,
    ),
  );
  await Promise.race([Promise.all(queries), wait(Math.min(resolvingMs, timeoutMs), undefined, { ref: false })]);
  resolver.cancel();
  // A copy: a late answer must not add an unchecked address.
  return [...found];
}

/** Lets Node connect to these addresses only. */
function lookupOf(addresses: readonly string[]): LookupFunction {
  const candidates = [4, 6].flatMap((family) => {
    const ofFamily = addresses.filter((address) => isIP(address) === family);
    return ofFamily.slice(0, addressesPerFamily).map((address) => ({ address, family }));
  });
  // Asynchronous, so that Node attaches its error listener first.
  return (_hostname, _options, callback) => void setImmediate(callback, null, candidates);
}

interface RequestContent {
  headers: Readonly<Record<string, string>>;
  body: string;
}

/** Sends a request. A timer and every possible last event settle it. */
function exchange(
  target: URL,
  { headers, body }: RequestContent,
  addresses: readonly string[],
  late: { afterMs: number; error: string },
): Promise<UntimedResponse> {
  return new Promise((resolve) => {
    const connection = { autoSelectFamily: true, autoSelectFamilyAttemptTimeout: connectingMs, agent: false };
    const outgoing = (target.protocol === "http:" ? httpRequest : httpsRequest)(target, {
      ...connection,
      method: "POST",
      headers: { ...headers, "content-length": Buffer.byteLength(body) },
      lookup: lookupOf(addresses),
    });
    let received: IncomingMessage | undefined;
    const chunks: Buffer[] = [];
    let isSettled = false;
    let isSent = false;
    outgoing.on("finish", () => {
      isSent = true;
    });
    const settle = (error: string) => {
      if (isSettled) return;
      isSettled = true;
      clearTimeout(timer);
      outgoing.destroy();
      // The status counts, whether or not the rest arrives.
      resolve(received ? responseOf(received, chunks) : { ...noResponse(error), isSent });
    };
    const timer = setTimeout(settle, late.afterMs, late.error);
    // Stays after settling, as an error without a listener ends the process.
    outgoing.on("error", (error) => settle(reasonOf(error)));
    outgoing.on("close", () => {
      if (!received) settle(reasonOf(undefined));
    });
    let interimResponses = 0;
    outgoing.on("information", () => {
      interimResponses += 1;
      if (interimResponses > maximumInterimResponses) settle("The receiver sent too many interim responses.");
    });
    outgoing.on("upgrade", (incoming, socket) => {
      received = incoming;
      socket.on("error", () => undefined).destroy();
      settle("");
    });
    outgoing.on("response", (incoming) => {
      received = incoming;
      let bytes = 0;
      incoming.on("data", (chunk: Buffer) => {
        chunks.push(chunk);
        bytes += chunk.length;
        if (bytes >= maximumResponseBytes) settle("");
      });
      for (const last of ["end", "error", "close"]) incoming.on(last, () => settle(""));
    });
    outgoing.end(body);
  });
}

function noResponse(error: string): UntimedResponse {
  return { status: null, error, isSent: false, response: "", retryAfterMs: null };
}

function responseOf(incoming: IncomingMessage, chunks: readonly Buffer[]): UntimedResponse {
  const response = Buffer.concat(chunks).subarray(0, maximumResponseBytes).toString("utf8");
  const status = incoming.statusCode ?? null;
  return { status, error: null, isSent: true, response, retryAfterMs: retryAfterMsOf(incoming) };
}

function retryAfterMsOf({ headersDistinct }: IncomingMessage): number | null {
  const { "retry-after": [value = "", ...others] = [], date = [] } = headersDistinct;
  if (others.length > 0) return null;
  const waitMs = /^\d+$/.test(value)
    ? Number(value) * 1_000
    : // The receiver's clock may be wrong.
      httpDateMs(value) - (httpDateMs(date[0] ?? "") || Date.now());
  return Number.isNaN(waitMs) ? null : Math.min(Math.max(waitMs, 0), maximumRetryAfterMs);
}

/** NaN unless the text is a date in the form that senders must use (RFC 9110, 5.6.7). */
function httpDateMs(text: string): number {
  const date = new Date(text);
  return date.toUTCString() === text ? date.getTime() : Number.NaN;
}

/** Contains nothing of the receiver's text. */
function reasonOf(error: unknown): string {
  const code = error instanceof Error ? ("code" in error ? String(error.code) : error.name) : "";
  return `The connection failed (${/^[A-Z][A-Z0-9_]{1,60}$/.test(code) ? code : "unknown reason"}).`;
}
