import { createHash, randomBytes } from "node:crypto";
import { crc32 } from "node:zlib";

const alphabet = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
const scheme = "tsk_";
const secretBytes = 32;
/** 62^43 > 2^256, so 43 characters hold every 256-bit secret. */
const secretLength = 43;
/** 62^6 > 2^32, so 6 characters hold every CRC-32. */
const checksumLength = 6;
const prefixLength = 12;

const keyPattern = `${scheme}[0-9A-Za-z]{${secretLength + checksumLength}}`;
const wellFormed = new RegExp(`^${keyPattern}$`);

/**
 * The whole Authorization header of a key that is well formed, as a regular expression: API Gateway tests it before any of our
 * code runs. The scheme's case does not matter (RFC 9110, 11.1).
 */
export const authorizationPattern = `^[Bb][Ee][Aa][Rr][Ee][Rr] +${keyPattern}$`;

export interface MintedApiKey {
  /** The whole secret, shown to its owner once and stored nowhere. */
  key: string;
  /** The first 12 characters, by which people tell keys apart. */
  prefix: string;
  /** SHA-256 of the whole key in lower-case hexadecimal. */
  hash: string;
}

/**
 * Makes a new API key: `tsk_`, 43 base62 characters of 256 random bits, and 6 base62 characters of the CRC-32 of all that
 * precedes, so that a mistyped or invented key is refused without a read and secret scanners recognise a real one.
 */
export function mintApiKey(): MintedApiKey {
  const body = scheme + base62(BigInt(`0x${randomBytes(secretBytes).toString("hex")}`), secretLength);
  const key = body + checksum(body);
  return { key, prefix: key.slice(0, prefixLength), hash: hashApiKey(key) };
}

/** Whether the text has the form of a key and its checksum is right. Says nothing of whether the key exists. */
export function isWellFormedApiKey(text: string): boolean {
  return wellFormed.test(text) && checksum(text.slice(0, -checksumLength)) === text.slice(-checksumLength);
}

/** SHA-256 of a key in lower-case hexadecimal: the only form in which a key is stored or looked up. */
export function hashApiKey(key: string): string {
  return createHash("sha256").update(key).digest("hex");
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
