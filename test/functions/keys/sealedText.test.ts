import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { test } from "@jest/globals";
import { seal, unseal } from "../../../functions/keys/apiKeySecret.ts";

test("a sealed text is read only with its passphrase, and differs each time", () => {
  const passphrase = randomUUID();
  for (const text of ["", "tsk_secret", "🎟".repeat(1_000)]) {
    const sealed = seal(text, passphrase);
    assert.equal(unseal(sealed, passphrase), text);
    assert.notEqual(seal(text, passphrase), sealed);
    assert.throws(() => unseal(sealed, randomUUID()));
    const bytes = Buffer.from(sealed, "base64url");
    for (const index of [0, 20, 30, bytes.length - 1]) {
      const changed = Buffer.from(bytes);
      changed[index] = (changed[index] ?? 0) ^ 1;
      assert.throws(() => unseal(changed.toString("base64url"), passphrase), String(index));
    }
  }
});
