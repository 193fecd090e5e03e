import { type LookupAddress, type LookupAllOptions, lookup as resolveName } from "node:dns";
import { request as httpRequest } from "node:http";
import { request as httpsRequest } from "node:https";
import { BlockList, isIP, type LookupFunction } from "node:net";
import { setTimeout as wait } from "node:timers/promises";
import { promisify } from "node:util";

/** The longest that a receiver may take, from the name's resolution to the end of its response. */
const receiverTimeoutMs = 10_000;
/** More of a response is neither read nor kept. */
export const maximumResponseBytes = 1_024;

/** What a receiver answered, or why it did not. */
export interface Answered {
  /** Null without a response. */
  status: number | null;
  durationMs: number;
  /** A short reason without the receiver's own words; null for a response with any status. */
  error: string | null;
  /** The beginning of the response, as UTF-8. */
  response: string;
}

interface Options {
  /** Lets the local service reach this machine over http. */
  allowsLoopback?: boolean;
  timeoutMs?: number;
  /** For tests. */
  lookup?: typeof resolveName;
}

/**
 * Posts a message to a receiver. Connects only to public addresses: the name is resolved once, and the connection uses exactly the addresses that
 * were checked, so that a name that resolves differently the second time changes nothing. Follows no redirect and keeps no connection.
 */
export async function post(
  url: string,
  headers: Readonly<Record<string, string>>,
  body: string,
  { allowsLoopback = false, timeoutMs = receiverTimeoutMs, lookup = resolveName }: Options = {},
): Promise<Answered> {
  const startedMs = performance.now();
  const answered = (status: number | null, error: string | null, response = ""): Answered => ({
    status,
    durationMs: Math.round(performance.now() - startedMs),
    error,
    response,
  });
  const target = new URL(url);
  const isHttp = target.protocol === "http:" && allowsLoopback;
  if (target.protocol !== "https:" && !isHttp) return answered(null, "The URL is not https.");
  const isAllowed = allowedAddresses(allowsLoopback, isHttp);
  // Node does not look up an address that is written in the URL.
  const literal = target.hostname.replace(/^\[(.*)\]$/, "$1");
  if (isIP(literal) !== 0 && !isAllowed(literal)) return answered(null, notPublic);
  const send = isHttp ? httpRequest : httpsRequest;
  const timeout = AbortSignal.timeout(timeoutMs);
  return new Promise((resolve) => {
    let finish = (error: Error) =>
      resolve(answered(null, timeout.aborted ? `No response within ${timeoutMs / 1_000} seconds.` : reasonOf(error)));
    const outgoing = send(target, {
      method: "POST",
      headers: { ...headers, "content-length": Buffer.byteLength(body) },
      agent: false,
      signal: timeout,
      lookup: checkedLookup(lookup, isAllowed),
    });
    outgoing.on("error", (error) => finish(error));
    outgoing.on("response", (incoming) => {
      const chunks: Buffer[] = [];
      let bytes = 0;
      // The status counts, whether or not the rest arrives.
      finish = () => {
        incoming.destroy();
        const text = Buffer.concat(chunks).subarray(0, maximumResponseBytes).toString("utf8");
        resolve(answered(incoming.statusCode ?? null, null, text));
      };
      incoming.on("data", (chunk: Buffer) => {
        chunks.push(chunk);
        bytes += chunk.length;
        if (bytes >= maximumResponseBytes) incoming.destroy();
      });
      incoming.on("error", () => undefined);
      incoming.once("close", finish);
    });
    outgoing.end(body);
  });
}

/** The longest that resolving a name may take before a webhook is stored. */
const resolvingMs = 3_000;

/** Why a URL cannot be a receiver's; undefined if its host has public addresses only. */
export async function hostProblem(
  url: string,
  { allowsLoopback = false, lookup = resolveName }: Pick<Options, "allowsLoopback" | "lookup"> = {},
): Promise<string | undefined> {
  const { protocol, hostname } = new URL(url);
  const isHttp = protocol === "http:" && allowsLoopback;
  if (protocol !== "https:" && !isHttp) return "Must be an https URL.";
  const literal = hostname.replace(/^\[(.*)\]$/, "$1");
  const resolved = promisify<string, LookupAllOptions, LookupAddress[]>(lookup)(literal, { all: true });
  const late = wait(resolvingMs, undefined, { ref: false });
  const addresses = await Promise.race([resolved.catch(() => undefined), late]);
  if (!addresses?.length) return "The host's name does not resolve.";
  const isAllowed = allowedAddresses(allowsLoopback, isHttp);
  return addresses.every(({ address }) => isAllowed(address)) ? undefined : notPublic;
}

function allowedAddresses(allowsLoopback: boolean, isHttp: boolean): (address: string) => boolean {
  return (address) => (allowsLoopback && isLoopback(address)) || (!isHttp && isPublic(address));
}

const notPublic = "The host has no public address.";

class NotPublic extends Error {}

/** Resolves a name like Node, and fails unless all of its addresses are allowed. */
function checkedLookup(lookup: typeof resolveName, isAllowed: (address: string) => boolean): LookupFunction {
  return (hostname, options, callback) => {
    lookup(hostname, { ...options, all: true }, (error, addresses) => {
      if (error) return callback(error, []);
      if (addresses.length === 0 || !addresses.every(({ address }) => isAllowed(address)))
        return callback(new NotPublic(notPublic), []);
      const [first] = addresses;
      if (options.all) callback(null, addresses);
      else callback(null, first?.address ?? "", first?.family);
    });
  };
}

/** Never the receiver's own words, which could contain anything. */
function reasonOf(error: Error): string {
  if (error instanceof NotPublic) return notPublic;
  const code = "code" in error ? String(error.code) : error.name;
  return `The connection failed (${/^[A-Z][A-Z0-9_]{1,60}$/.test(code) ? code : "unknown reason"}).`;
}

/** IPv4 ranges that are not public (https://www.iana.org/assignments/iana-ipv4-special-registry). */
const special4 = new BlockList();
for (const [network, prefix] of [
  ["0.0.0.0", 8],
  ["10.0.0.0", 8],
  ["100.64.0.0", 10],
  ["127.0.0.0", 8],
  ["169.254.0.0", 16],
  ["172.16.0.0", 12],
  ["192.0.0.0", 24],
  ["192.0.2.0", 24],
  ["192.88.99.0", 24],
  ["192.168.0.0", 16],
  ["198.18.0.0", 15],
  ["198.51.100.0", 24],
  ["203.0.113.0", 24],
  ["224.0.0.0", 3],
] as const)
  special4.addSubnet(network, prefix);

/** All public IPv6 addresses (https://www.iana.org/assignments/ipv6-unicast-address-assignments). */
const global6 = new BlockList();
global6.addSubnet("2000::", 3, "ipv6");
/** Ranges in it that are not public, or that contain IPv4 addresses (https://www.iana.org/assignments/iana-ipv6-special-registry). */
const special6 = new BlockList();
for (const [network, prefix] of [
  ["2001::", 23],
  ["2001:db8::", 32],
  ["2002::", 16],
  ["3fff::", 20],
] as const)
  special6.addSubnet(network, prefix, "ipv6");

/** Whether an address can be reached from anywhere on the internet. */
export function isPublic(address: string): boolean {
  if (isIP(address) === 4) return !special4.check(address);
  return isIP(address) === 6 && global6.check(address, "ipv6") && !special6.check(address, "ipv6");
}

function isLoopback(address: string): boolean {
  return /^127\./.test(address) || address === "::1";
}
