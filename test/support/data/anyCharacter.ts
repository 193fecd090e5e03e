import fc from "fast-check";

/** Any character except half a surrogate pair: like fast-check's unit "binary", which takes a second to prepare in each file. */
export const anyCharacter = fc
  .oneof(fc.integer({ min: 0, max: 0xd7ff }), fc.integer({ min: 0xe000, max: 0x10ffff }))
  .map((codePoint) => String.fromCodePoint(codePoint));
