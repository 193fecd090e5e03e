import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from "node:crypto";

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
