import { hash } from "node:crypto";
import * as z from "zod";

/** A body's strong entity tag: 132 bits of its SHA-256. */
export function entityTag(body: string): string {
  return `"${hash("sha256", body, "base64url").slice(0, 22)}"`;
}

export const exampleTag = '"q3ZlY1Yd0m8xkq4T0p2s7A"';

/**
 * A star, or a list of entity tags (RFC 9110, section 8.8.3), whose empty members do not count (section 5.6.1). It allows only characters that a
 * header can carry, because tools make values from it.
 */
const entityTagsPattern =
  /^([ \t]*\*[ \t]*|[ \t,]*(W\/)?"[\t !#-~\x80-\xff]*"([ \t]*,[ \t,]*(W\/)?"[\t !#-~\x80-\xff]*")*[ \t,]*)$/;

/** The value of a conditional header. */
export const EntityTags = z
  .string()
  .regex(entityTagsPattern, "Must be an entity tag in quotation marks, as in the ETag header.")
  .optional();

/** Proxies that compress append these to a tag: `-gzip` (Apache), `--gzip` (Jetty). A tag of ours may end with a hyphen. */
const suffixes = ["-", "--", ";"].flatMap((mark) => ["gzip", "br", "deflate", "zstd"].map((coding) => mark + coding));

/** Checks an If-Match header (RFC 9110, section 13.1.1). The comparison is strong, so a weak tag never matches. */
export function isMatch(ifMatch: string, tag: string): boolean {
  // A foreign tag may contain commas, but no part of it is a whole quoted tag.
  const listed = ifMatch.split(",").map((candidate) => candidate.trim());
  const own = [tag, ...suffixes.map((suffix) => `${tag.slice(0, -1)}${suffix}"`)];
  return ifMatch.trim() === "*" || listed.some((one) => own.includes(one));
}

/** Checks an If-None-Match header (RFC 9110, section 13.1.2), whose tags may be weak. */
export function matchesEntityTag(ifNoneMatch: string, tag: string): boolean {
  return isMatch(ifNoneMatch.replaceAll('W/"', '"'), tag);
}
