import * as z from "zod";

/**
 * The longest text that can be looked up, in UTF-8. Percent-encoded it has up to three times as many bytes, which fit into a URL: CloudFront
 * accepts 8,192 bytes ("Quotas on CloudFront"), and API Gateway 10,240 with all headers ("Amazon API Gateway quotas").
 */
const maximumBytes = 2_048;

/** Maps texts that differ only in the white space around them to one text. The result is stored, so the mapping never changes. */
export function trimmed(text: string): string {
  return text.trim();
}

/** Control characters except white space, and other invisible characters. */
const invisible = /(?!\s)\p{Cc}|[\p{Default_Ignorable_Code_Point}\ufff9-\ufffb]/gu;

/** True if nothing of the text is visible. Look-ups omit such texts. */
export function isBlank(text: string): boolean {
  return text.replaceAll(invisible, "").trim() === "";
}

/**
 * {@link trimmed}, without invisible characters and in lower case. It maps letter by letter, so `ß` and `SS`, or `ı` and `I`, stay different; the
 * Greek final sigma becomes an ordinary one. The result is stored, so the mapping never changes.
 */
export function caseless(text: string): string {
  return text.replaceAll(invisible, "").trim().toLowerCase().replaceAll("ς", "σ").normalize("NFC");
}

/** The reason why a stored text cannot be looked up; undefined if it can be, or if it is blank. */
export function lookUpProblem(text: string): string | undefined {
  if (Buffer.byteLength(text) > maximumBytes)
    return `Must have at most ${maximumBytes.toLocaleString("en")} bytes in UTF-8, so that it can be looked up`;
  // In a query, this character means invalid UTF-8.
  if (text.includes("\ufffd")) return "Must not contain U+FFFD, which stands for a damaged character";
  return undefined;
}

export const LookUpText = z
  .string()
  .regex(/\S/, { error: "Must not be blank.", abort: true })
  .refine((text) => !isBlank(text), { error: "Must not be blank.", abort: true })
  .refine((text) => lookUpProblem(text) === undefined, {
    error: ({ input }) => `${lookUpProblem(String(input))}.`,
  })
  .meta({ maxLength: maximumBytes });
