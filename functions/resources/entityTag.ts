import { createHash } from "node:crypto";

/** A body's strong entity tag: 132 bits of its SHA-256. */
export function entityTag(body: string): string {
  return `"${createHash("sha256").update(body).digest("base64url").slice(0, 22)}"`;
}

/** Whether an If-Match header (RFC 9110, section 13.1.1) lists the tag. The comparison is strong, so a weak tag never matches. */
export function isMatch(ifMatch: string, tag: string): boolean {
  return ifMatch.trim() === "*" || ifMatch.split(",").some((candidate) => candidate.trim() === tag);
}

/** Whether an If-None-Match header (RFC 9110, section 13.1.2) lists the tag. */
export function matchesEntityTag(ifNoneMatch: string, tag: string): boolean {
  if (ifNoneMatch.trim() === "*") return true;
  return ifNoneMatch.split(",").some((candidate) => candidate.trim().replace(/^W\//, "") === tag);
}
