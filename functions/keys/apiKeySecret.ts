import { createCipheriv, createDecipheriv, hash, hkdfSync, randomBytes, randomInt } from "node:crypto";
import { crc32 } from "node:zlib";

export const alphabet = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
const scheme = "tsk_";
const secretBytes = 28;
/** 62^38 > 2^224, so 38 characters can encode every 224-bit secret. */
const secretLength = 38;
/** Enough that nobody finds an organisation's tag by trying. */
export const tagLength = 5;
/** 62^6 > 2^32, so 6 characters can encode every CRC-32. */
export const checksumLength = 6;
const prefixLength = 12;

export const keyLength = scheme.length + secretLength + tagLength + checksumLength;
const keyPattern = `${scheme}[0-9A-Za-z]{${secretLength + tagLength + checksumLength}}`;
const wellFormed = new RegExp(`^${keyPattern}$`);

/**
 * Matches an Authorization header with a well-formed key. API Gateway applies it before any of our code runs. The scheme is
 * case-insensitive (RFC 9110, 11.1).
 */
export const authorizationPattern = `^[Bb][Ee][Aa][Rr][Ee][Rr] +${keyPattern}$`;

/** A new tag, which the keys of one organisation share. */
export function mintTag(): string {
  return Array.from({ length: tagLength }, () => alphabet.charAt(randomInt(alphabet.length))).join("");
}

/**
 * Creates an API key: `tsk_`, 224 random bits as 38 base62 characters, the organisation's tag of 5, and the CRC-32 of all as 6 base62 characters.
 * The checksum rejects mistyped and invented keys without a read, and lets secret scanners recognise real ones. By the tag, the distribution counts
 * the requests of all keys of an organisation together. Keys of version 1.1 have random characters there, so each counts by itself.
 *
 * @returns the whole secret, shown once and never stored; its first 12 characters, so that people can distinguish keys; and its hash.
 */
export function mintApiKey(tag = mintTag()) {
  const body = scheme + base62(BigInt(`0x${randomBytes(secretBytes).toString("hex")}`), secretLength) + tag;
  const key = body + checksum(body);
  return { key, prefix: key.slice(0, prefixLength), hash: hashApiKey(key) };
}

/** Whether the text has the form and checksum of a key. The key may still not exist. */
export function isWellFormedApiKey(text: string): boolean {
  return wellFormed.test(text) && checksum(text.slice(0, -checksumLength)) === text.slice(-checksumLength);
}

/** The organisation's tag in a well-formed key. */
export function tagOf(key: string): string {
  return key.slice(-(tagLength + checksumLength), -checksumLength);
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

const cipher = "aes-256-gcm";
const [saltBytes, nonceBytes, tagBytes] = [16, 12, 16];

/** Encrypts a text so that only someone with the passphrase can read it. The passphrase must be hard to guess. @returns base64url. */
export function seal(text: string, passphrase: string): string {
  const [salt, nonce] = [randomBytes(saltBytes), randomBytes(nonceBytes)];
  const encryption = createCipheriv(cipher, keyOf(passphrase, salt), nonce);
  const encrypted = Buffer.concat([encryption.update(text, "utf8"), encryption.final()]);
  return Buffer.concat([salt, nonce, encryption.getAuthTag(), encrypted]).toString("base64url");
}

/** @throws Error if the passphrase is another one or the sealed text was changed. */
export function unseal(sealed: string, passphrase: string): string {
  const bytes = Buffer.from(sealed, "base64url");
  const part = (start: number, length?: number) => bytes.subarray(start, length && start + length);
  const salt = part(0, saltBytes);
  const decryption = createDecipheriv(cipher, keyOf(passphrase, salt), part(saltBytes, nonceBytes));
  decryption.setAuthTag(part(saltBytes + nonceBytes, tagBytes));
  const encrypted = part(saltBytes + nonceBytes + tagBytes);
  return Buffer.concat([decryption.update(encrypted), decryption.final()]).toString("utf8");
}

function keyOf(passphrase: string, salt: Buffer): Buffer {
  return Buffer.from(hkdfSync("sha256", passphrase, salt, "sealed text", 32));
}
