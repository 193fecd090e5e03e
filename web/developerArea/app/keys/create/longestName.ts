/** How many characters a key's name may have. */
export const longestName = 100;
