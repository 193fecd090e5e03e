import { hashApiKey } from "../../../functions/keys/apiKeySecret.ts";

/** Personal data that the journeys send, to find logs that keep it. */
export const personalData = ["ada.lovelace@example.org", "+44 20 7946 0958", "Ada Lovelace"];

/** A key beyond its prefix, the hash of a key, an encoded key, a token, a header that contains one, or an email address. */
const patterns = [
  /tsk_[0-9A-Za-z]{9,}/,
  /\b[0-9a-f]{64}\b/i,
  /dHNrX[0-9A-Za-z+/_-]{12,}/,
  /eyJ[\w-]+\.[\w-]+/,
  /\b(bearer|basic)\s+\S/i,
  /[\w.+-]+(@|%40)[\w-]+\.[a-z]{2,}/i,
];

/** The sensitive parts of a text: these keys, and anything that looks sensitive. */
export function findSensitive(text: string, keys: readonly string[]): string[] {
  const secrets = keys.flatMap((key) => {
    const hash = Buffer.from(hashApiKey(key), "hex");
    return [key.slice(12), ...(["hex", "base64", "base64url"] as const).map((encoding) => hash.toString(encoding))];
  });
  const exact = [...secrets, ...personalData.flatMap((data) => [data, encodeURIComponent(data)])];
  const found = patterns.flatMap((pattern) => pattern.exec(text)?.[0] ?? []);
  return [...exact.filter((secret) => text.includes(secret)), ...found];
}
