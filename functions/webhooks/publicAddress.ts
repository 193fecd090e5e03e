import { BlockList, isIP } from "node:net";

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

/** Tests for an address that can be reached from anywhere on the internet. */
export function isPublic(address: string): boolean {
  if (isIP(address) === 4) return !special4.check(address);
  return isIP(address) === 6 && global6.check(address, "ipv6") && !special6.check(address, "ipv6");
}

export function isLoopback(address: string): boolean {
  return /^127\./.test(address) || address === "::1";
}
