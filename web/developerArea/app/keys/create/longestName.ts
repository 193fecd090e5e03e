/** The API's limit for a key's name, in characters. */
export const longestName = 100;
