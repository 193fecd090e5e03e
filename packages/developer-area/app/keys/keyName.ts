// The rule of the API, repeated so that the form can refuse a name while it is typed. test/functions/keys/keyName.test.ts compares them.

/** The maximum length of a key's name, in Unicode characters. */
export const longestName = 100;

/** Characters that nobody can see or type. */
const invisible = /[\p{C}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/u;
/** Invisible characters that join the parts of an emoji. */
const emojiParts = /(?<=\p{Emoji})\u{FE0F}?(?:\u{200D}(?=\p{Emoji}))?/gu;

/** Two names that look the same are the same: normalised to NFC, with white space collapsed. */
export function normalisedName(name: string): string {
  return name.normalize("NFC").replaceAll(/\s+/g, " ").trim();
}

/** Whether a name contains characters that nobody can see, except those that join the parts of an emoji. */
export function hasInvisible(name: string): boolean {
  return invisible.test(name.replaceAll(emojiParts, ""));
}
