/*
 * A secret for somebody without an account: encrypted in a link's fragment, which browsers never send, with a code that takes another way.
 * Nothing is stored or served for it.
 */

/** A secret, and what its recipient must know about it. */
export interface Content {
  kind: "key" | "webhook";
  /** The key's or webhook's. */
  name: string;
  secret: string;
  /** The organisation's name; null if it is not known. */
  organisation: string | null;
  /** Of a key. A webhook has none. */
  scopes: string[];
  /** When the key will be revoked; null if that is not planned. */
  revokes_at: string | null;
}

const start = "#hand-over";
const prefix = `${start}/`;
/** Of the format, so that a later one can differ. */
const version = "1";

/** Crockford's Base32: no letters that look or sound like another character. */
const alphabet = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";
const groupLength = 5;
const codeLength = 3 * groupLength;

/** docs/decisions/0027-hand-over.md computes how long it takes to try the codes. */
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

/** A code in groups: "4FQ9W-2BYC8-XT3KM". */
export function grouped(code: string): string {
  return code.match(new RegExp(`.{${groupLength}}`, "g"))?.join("-") ?? code;
}

/** A typed code as {@link newCode} made it; null if it cannot be one. */
export function codeIn(typed: string): string | null {
  const code = typed
    .toUpperCase()
    .replaceAll(/[^0-9A-Z]/g, "")
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
  const text = new TextEncoder().encode(JSON.stringify({ ...content, origin }));
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
  return hash.startsWith(start);
}

const secrets = { key: /^tsk_[0-9A-Za-z]+$/, webhook: /^whsec_[0-9A-Za-z+/=]+$/ };

/** @returns null if the code is wrong, undefined if the link was not made here for this address. */
export async function unsealed(sealed: string, code: string, origin: string): Promise<Content | null | undefined> {
  const bytes = bytesOf(sealed.slice(version.length + 1));
  const [salt, nonce] = [bytes.slice(0, saltBytes), bytes.slice(saltBytes, saltBytes + nonceBytes)];
  const key = await keyOf(code, salt);
  const decrypted = await crypto.subtle
    .decrypt({ name: "AES-GCM", iv: nonce }, key, bytes.slice(saltBytes + nonceBytes))
    .catch(() => null);
  if (decrypted === null) return null;
  const { origin: madeAt, ...content } = JSON.parse(new TextDecoder().decode(decrypted));
  return madeAt === origin && isContent(content) ? content : undefined;
}

/** Anybody can make a link to this page, and people paste what it shows into a shell. */
function isContent({ kind, name, secret, organisation, scopes, revokes_at }: Content): boolean {
  return (
    Object.hasOwn(secrets, kind) &&
    secrets[kind].test(secret) &&
    Array.isArray(scopes) &&
    [name, organisation ?? "", ...scopes].every((text) => typeof text === "string") &&
    (revokes_at === null || !Number.isNaN(Date.parse(revokes_at)))
  );
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
