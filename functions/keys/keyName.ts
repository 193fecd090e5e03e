/** The maximum length of a key's name, in Unicode characters. */
export const longestName = 100;

/** Characters that nobody can see or type. */
const invisible = /[\p{C}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/u;
/** Invisible characters that join the parts of an emoji. */
const emojiParts = /(?<=\p{Emoji})\u{FE0F}?(?:\u{200D}(?=\p{Emoji}))?/gu;
/** Letters and signs of the scripts that are written with joiners, and the signs that take the vowel from a consonant. */
const joined = `[${"Arab Syrc Deva Beng Guru Gujr Orya Taml Telu Knda Mlym Sinh".replaceAll(/\w+ ?/g, (script) => `\\p{scx=${script.trim()}}`)}]`;
const viramas = "[\\u094D\\u09CD\\u0A4D\\u0ACD\\u0B4D\\u0BCD\\u0C4D\\u0CCD\\u0D4D\\u0DCA]";
/** U+200C and U+200D where they change how a word of these scripts looks. */
const joiners = new RegExp(`(?<=${joined})[\\u200C\\u200D](?=${joined})|(?<=${viramas})[\\u200C\\u200D]`, "gu");

/** Two names that look the same are the same: normalised to NFC, with white space collapsed. */
export function normalisedName(name: string): string {
  return name.normalize("NFC").replaceAll(/\s+/g, " ").trim();
}

/** True if a name contains invisible characters other than the joiners of emoji and of scripts that need them. */
export function hasInvisible(name: string): boolean {
  return invisible.test(name.replaceAll(emojiParts, "").replaceAll(joiners, ""));
}
