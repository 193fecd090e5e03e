import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { crc32 } from "node:zlib";
import { test } from "@jest/globals";
import fc from "fast-check";
import {
  authorizationPattern,
  hashApiKey,
  isWellFormedApiKey,
  mintApiKey,
} from "../../../functions/keys/apiKeySecret.ts";

const alphabet = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";

test("a minted key has the right form, prefix, checksum and hash", () => {
  const { key, prefix, hash } = mintApiKey();
  assert.match(key, /^tsk_[0-9A-Za-z]{41}$/);
  assert.equal(prefix, key.slice(0, 12));
  assert.equal(hash, createHash("sha256").update(key).digest("hex"));
  assert.equal(hashApiKey(key), hash);
  const checksum = [...key.slice(-6)].reduce((sum, character) => sum * 62 + alphabet.indexOf(character), 0);
  assert.equal(checksum, crc32(key.slice(0, -6)));
});

test("minted keys are well formed and use all 176 random bits", () => {
  const keys = Array.from({ length: 100 }, () => mintApiKey().key);
  assert.ok(keys.every(isWellFormedApiKey));
  const values = keys
    .map((key) => key.slice(4, 34))
    .map((text) => [...text].reduce((sum, one) => sum * 62n + BigInt(alphabet.indexOf(one)), 0n));
  // A bit is the same in all 100 keys with a probability of 2^-99.
  for (let bit = 0n; bit < 176n; bit++) {
    const ones = values.filter((value) => (value >> bit) & 1n).length;
    assert.ok(ones > 0 && ones < values.length, `bit ${bit}`);
  }
});

test("a key has the given tag before its checksum, by default a random one", () => {
  assert.equal(mintApiKey("Ab3dE").key.slice(34, 39), "Ab3dE");
  assert.equal(new Set(Array.from({ length: 100 }, () => mintApiKey().key.slice(34, 39))).size, 100);
});

test("a key with any one changed character is not well formed", () => {
  const place = fc.nat({ max: 40 });
  const character = fc.constantFrom(...alphabet);
  fc.assert(
    fc.property(place, character, (index, replacement) => {
      const { key } = mintApiKey();
      const at = index + 4;
      const changed = key.slice(0, at) + replacement + key.slice(at + 1);
      assert.equal(isWellFormedApiKey(changed), changed === key);
    }),
    { numRuns: 500 },
  );
});

test("no other text is a well-formed key", () => {
  fc.assert(fc.property(fc.string(), (text) => !isWellFormedApiKey(text)));
  for (const text of ["", "tsk_", ` ${mintApiKey().key}`, `${mintApiKey().key}\n`]) {
    assert.equal(isWellFormedApiKey(text), false, JSON.stringify(text));
  }
});

test("the gateway accepts the scheme in any case and only one well-formed key", () => {
  const expression = new RegExp(authorizationPattern);
  const { key } = mintApiKey();
  for (const good of [`Bearer ${key}`, `bearer ${key}`, `BEARER  ${key}`]) assert.match(good, expression);
  for (const bad of [key, `Basic ${key}`, `Bearer${key}`, `Bearer ${key} `, `Bearer ${key},Bearer ${key}`, "Bearer "]) {
    assert.doesNotMatch(bad, expression);
  }
});
