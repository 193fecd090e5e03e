import assert from "node:assert/strict";
import { test } from "node:test";
import { mintApiKey } from "../../../functions/auth/apiKey.ts";
import { redact } from "../../../functions/http/logger.ts";

test("keys, hashes and tokens are taken out of whatever is logged; a key's prefix stays", () => {
  const { key, hash, prefix } = mintApiKey();
  const token = "eyJhbGciOiJSUzI1NiJ9.eyJzdWIiOiIxIn0.c2lnbmF0dXJl";
  for (const secret of [key, hash, key.slice(0, -1), token, `Bearer ${key}`, `bearer ${token}`]) {
    const redacted = redact(`before ${secret} after`);
    assert.ok(!redacted.includes(secret) && redacted.endsWith(" after"), redacted);
  }
  assert.equal(redact(`key ${prefix}`), `key ${prefix}`);
});
