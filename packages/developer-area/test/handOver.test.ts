import assert from "node:assert/strict";
import { jest, test } from "@jest/globals";
import { type Content, codeIn, grouped, newCode, sealedIn, sealedLink, unsealed } from "../app/handOver/handOver.ts";

const origin = "https://tickets.example.org";
const content: Content = {
  kind: "key",
  name: "CRM – Zürich 🎟",
  secret: "tsk_4fQ9wLxT2bYc8dKp1nRs7vZa3eG",
  organisation: "Riverside",
  scopes: ["read", "write:orders"],
  revokes_at: "2027-02-03T00:00:00.000Z",
};

/** What a person with the link and the code gets. */
async function opened(link: string, code: string, at = origin) {
  const sealed = await sealedIn(new URL(link).hash);
  return typeof sealed === "string" ? unsealed(sealed, code, at) : sealed;
}

test("a link returns what it was made of, with its code only, and two links of the same differ", async () => {
  const code = newCode();
  const [link, other] = [await sealedLink(content, code, origin), await sealedLink(content, code, origin)];
  assert.deepEqual(await opened(link, code), content);
  const secret = { ...content, kind: "webhook" as const, secret: "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw", scopes: [] };
  assert.deepEqual(await opened(await sealedLink(secret, code, origin), code), secret);
  assert.equal(await opened(link, newCode()), null);
  assert.notEqual(link, other);
  for (const text of [content.secret, code]) assert.ok(!link.includes(text));
});

test("trying a code takes a million iterations, which keep a link safe", async () => {
  const derive = jest.spyOn(crypto.subtle, "deriveKey");
  await sealedLink(content, newCode(), origin);
  const [derivation] = derive.mock.calls[0] ?? [];
  assert.ok(typeof derivation === "object" && "iterations" in derivation && derivation.iterations === 1_000_000);
});

test("a link that somebody else made shows nothing that could be pasted into a shell or leads elsewhere", async () => {
  const code = newCode();
  const changed = [{ secret: 'tsk_x"; rm -rf ~ #' }, { secret: "" }, { kind: "webhook" }, { kind: "toString" }];
  const unreadable = [{ scopes: "read" }, { scopes: [{}] }, { name: {} }, { revokes_at: "soon" }];
  for (const changes of [...changed, ...unreadable]) {
    const link = await sealedLink({ ...content, ...changes } as Content, code, origin);
    assert.equal(await opened(link, code), undefined, JSON.stringify(changes));
  }
  assert.equal(await opened(await sealedLink(content, code, origin), code, "https://other.example"), undefined);
});

test("a fragment that is not a link, or is damaged anywhere, is recognised", async () => {
  const link = await sealedLink(content, newCode(), origin);
  assert.equal(await sealedIn("#keys"), undefined);
  assert.equal(await sealedIn("#hand-over"), null);
  const { hash } = new URL(link);
  for (let end = hash.indexOf("/") + 1; end < hash.length; end += 7)
    assert.equal(await sealedIn(hash.slice(0, end)), null);
  assert.equal(await sealedIn(hash.replace("/1.", "/2.")), null);
});

test("a code survives how people write it down and read it out", () => {
  const code = newCode();
  assert.match(code, /^[0-9A-HJKMNP-TV-Z]{15}$/);
  assert.equal(codeIn(grouped(code)), code);
  assert.equal(codeIn("oil1o – abcde 23456"), "01110ABCDE23456");
  assert.equal(codeIn("\u202A“01110\u200B-ABCDE-23456”."), "01110ABCDE23456");
  for (const typed of ["", "4FQ9W2BYC8XT3K", "4FQ9W2BYC8XT3KMM", "4FQ9W2BYC8XT3KU", "4FQ9W2BYC8XT3.M"])
    assert.equal(codeIn(typed), null, typed);
});
