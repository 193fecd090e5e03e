import { isIP } from "node:net";
import ipaddr from "ipaddr.js";

/** IANA's registries call AS112 globally reachable. Nothing private answers there. */
const publicRanges = ["unicast", "as112"];

/** Tests for an address that can be reached from anywhere on the internet. */
export function isPublic(address: string): boolean {
  return publicRanges.includes(rangeOf(address));
}

export function isLoopback(address: string): boolean {
  return rangeOf(address) === "loopback";
}

function rangeOf(address: string): string {
  return isIP(address) === 0 ? "none" : ipaddr.parse(address).range();
}
