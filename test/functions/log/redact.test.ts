import assert from "node:assert/strict";
import { test } from "@jest/globals";
import { mintApiKey } from "../../../functions/keys/apiKeySecret.ts";
import { excerpt, redact } from "../../../functions/log/logger.ts";

const { key, hash, prefix } = mintApiKey();
const token = "eyJhbGciOiJSUzI1NiJ9.eyJzdWIiOiIxIn0.c2lnbmF0dXJl";

test("keys, hashes and tokens are removed anywhere in a text, and a key's prefix stays", () => {
  for (const secret of [key, hash, key.slice(0, -1), token, `Bearer ${key}`, `bearer ${token}`, "Bearer x"]) {
    for (const text of [`before ${secret} after`, `(${secret}) after`, `id_token=${secret}& after`]) {
      const clean = redact(text);
      assert.ok(!clean.includes(secret) && clean.endsWith(" after"), clean);
    }
  }
  for (const harmless of [`key ${prefix}`, "dynamodb.eu-west-1.amazonaws.com", hash.slice(1), "keyJoin.lengthOfAll"]) {
    assert.equal(redact(harmless), harmless);
  }
});

test("secrets directly after other text are removed too", () => {
  for (const secret of [key, token]) {
    assert.ok(!redact(`x${secret}`).includes(secret.slice(13)));
    assert.ok(!redact(`%3D${secret}`).includes(secret.slice(13)));
  }
});

test("a long text is cut before the search, and an excerpt is short", () => {
  assert.equal(redact("a".repeat(9_000)).length, 8_001);
  assert.equal(excerpt(`${"b".repeat(70)}${key}`), `${"b".repeat(64)}…`);
  assert.equal(excerpt("per_page"), "per_page");
});
