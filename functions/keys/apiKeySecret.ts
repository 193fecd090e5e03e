import { hash, randomBytes, randomInt } from "node:crypto";
import { crc32 } from "node:zlib";

export const alphabet = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
const scheme = "tsk_";
const secretBytes = 22;
/** 62^30 > 2^176, so 30 characters can encode every 176-bit secret. */
const secretLength = 30;
/** Long enough that a tag cannot be guessed. */
export const tagLength = 5;
/** 62^6 > 2^32, so 6 characters can encode every CRC-32. */
export const checksumLength = 6;
const prefixLength = 12;

const variableLength = secretLength + tagLength + checksumLength;
export const keyLength = scheme.length + variableLength;
const keyPattern = `${scheme}[0-9A-Za-z]{${variableLength}}`;
const wellFormed = new RegExp(`^${keyPattern}$`);

/** For API Gateway: an Authorization header with a well-formed key. The scheme is case-insensitive (RFC 9110, 11.1). */
export const authorizationPattern = `^[Bb][Ee][Aa][Rr][Ee][Rr] +${keyPattern}$`;

export function mintTag(): string {
  return Array.from({ length: tagLength }, () => alphabet.charAt(randomInt(alphabet.length))).join("");
}

/**
 * Creates an API key: `tsk_`, 176 random bits as 30 base62 characters, the organisation's tag of 5, and the CRC-32 of all as 6 base62 characters.
 * The checksum rejects mistyped keys without a read, and lets secret scanners recognise real ones. The tag lets the distribution count the requests
 * of all keys of an organisation together.
 * @returns the whole secret, shown once and never stored; its first 12 characters, so that people can distinguish keys; and its hash.
 */
export function mintApiKey(tag = mintTag()) {
  const body = scheme + base62(BigInt(`0x${randomBytes(secretBytes).toString("hex")}`), secretLength) + tag;
  const key = body + checksum(body);
  return { key, prefix: key.slice(0, prefixLength), hash: hashApiKey(key) };
}

/** True if the text has the form and checksum of a key. The key may still not exist. */
export function isWellFormedApiKey(text: string): boolean {
  return wellFormed.test(text) && checksum(text.slice(0, -checksumLength)) === text.slice(-checksumLength);
}

/** SHA-256 of a key in lower-case hexadecimal. Keys are stored and looked up only in this form. */
export function hashApiKey(key: string): string {
  return hash("sha256", key, "hex");
}

function checksum(body: string): string {
  return base62(BigInt(crc32(body)), checksumLength);
}

function base62(value: bigint, length: number): string {
  let text = "";
  for (let rest = value; text.length < length; rest /= 62n) {
    text = alphabet.charAt(Number(rest % 62n)) + text;
  }
  return text;
}
