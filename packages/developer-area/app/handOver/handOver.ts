/*
 * A key's secret for somebody without an account: encrypted in a link's fragment, which browsers never send, with a code that takes another way.
 * Nothing is stored or served for it.
 */

export interface Content {
  /** The key's name. */
  name: string;
  secret: string;
  /** The address that paths such as `/events` are appended to. */
  baseUrl: string;
}

const prefix = "#hand-over/";
/** Of the format, so that a later one can differ. */
const version = "1";

/** Crockford's Base32: no letters that look or sound like another character. */
const alphabet = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";
const codeLength = 10;

/** A code has 50 random bits. Trying half of all codes, at 10 billion hashes a second, takes thousands of years. */
const iterations = 1_000_000;
const saltBytes = 16;
const nonceBytes = 12;
const checkLength = 8;

/** A new code, for reading aloud. */
export function newCode(): string {
  return Array.from(
    crypto.getRandomValues(new Uint8Array(codeLength)),
    (byte) => alphabet[byte % alphabet.length],
  ).join("");
}

/** A code in two groups: "4FQ9W-2BYC8". */
export function grouped(code: string): string {
  return `${code.slice(0, codeLength / 2)}-${code.slice(codeLength / 2)}`;
}

/** A typed code as {@link newCode} made it; null if it cannot be one. */
export function codeIn(typed: string): string | null {
  const code = typed
    .toUpperCase()
    .replaceAll(/[\s\p{Dash}]/gu, "")
    .replaceAll("O", "0")
    .replaceAll(/[IL]/g, "1");
  return code.length === codeLength && [...code].every((character) => alphabet.includes(character)) ? code : null;
}

/** @returns the link's URL. */
export async function sealedLink(content: Content, code: string, origin: string): Promise<string> {
  const [salt, nonce] = [
    crypto.getRandomValues(new Uint8Array(saltBytes)),
    crypto.getRandomValues(new Uint8Array(nonceBytes)),
  ];
  const text = new TextEncoder().encode(JSON.stringify(content));
  const encrypted = await crypto.subtle.encrypt({ name: "AES-GCM", iv: nonce }, await keyOf(code, salt), text);
  const sealed = `${version}.${base64Url(new Uint8Array([...salt, ...nonce, ...new Uint8Array(encrypted)]))}`;
  return `${origin}/developer${prefix}${sealed}.${await checkOf(sealed)}`;
}

/** The sealed text in a link's fragment; undefined for any other fragment, null if the link was cut off or changed. */
export async function sealedIn(hash: string): Promise<string | null | undefined> {
  if (!isHandOver(hash)) return undefined;
  const [, sealed = "", check] = /^(.*)\.([^.]*)$/.exec(hash.slice(prefix.length)) ?? [];
  return sealed.startsWith(`${version}.`) && check === (await checkOf(sealed)) ? sealed : null;
}

export function isHandOver(hash: string): boolean {
  return hash.startsWith(prefix);
}

/** @returns null if the code is wrong, or the link was not made here for this address. */
export async function unsealed(sealed: string, code: string, origin: string): Promise<Content | null> {
  const bytes = bytesOf(sealed.slice(version.length + 1));
  const [salt, nonce] = [bytes.slice(0, saltBytes), bytes.slice(saltBytes, saltBytes + nonceBytes)];
  const key = await keyOf(code, salt);
  const opened: Content | null = await crypto.subtle
    .decrypt({ name: "AES-GCM", iv: nonce }, key, bytes.slice(saltBytes + nonceBytes))
    .then((decrypted) => JSON.parse(new TextDecoder().decode(decrypted)))
    .catch(() => null);
  if (opened === null) return null;
  const content = { name: String(opened.name), secret: String(opened.secret), baseUrl: baseUrlAt(origin) };
  // Anybody can make a link to this page, and people paste what it shows into a shell.
  return /^tsk_[0-9A-Za-z]+$/.test(content.secret) && opened.baseUrl === content.baseUrl ? content : null;
}

export function baseUrlAt(origin: string): string {
  return `${origin}/v1`;
}

async function keyOf(code: string, salt: Uint8Array<ArrayBuffer>) {
  const typed = await crypto.subtle.importKey("raw", new TextEncoder().encode(code), "PBKDF2", false, ["deriveKey"]);
  const derivation = { name: "PBKDF2", hash: "SHA-256", salt, iterations };
  return crypto.subtle.deriveKey(derivation, typed, { name: "AES-GCM", length: 256 }, false, ["encrypt", "decrypt"]);
}

/** Distinguishes a damaged link from a wrong code. */
async function checkOf(sealed: string): Promise<string> {
  const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(sealed));
  return base64Url(new Uint8Array(digest)).slice(0, checkLength);
}

function base64Url(bytes: Uint8Array): string {
  return btoa(String.fromCharCode(...bytes))
    .replaceAll("+", "-")
    .replaceAll("/", "_")
    .replaceAll("=", "");
}

function bytesOf(text: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(atob(text.replaceAll("-", "+").replaceAll("_", "/")), (character) => character.charCodeAt(0));
}
