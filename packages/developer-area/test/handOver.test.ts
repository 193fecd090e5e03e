import assert from "node:assert/strict";
import { test } from "@jest/globals";
import { codeIn, grouped, newCode, sealedIn, sealedLink, unsealed } from "../app/handOver/handOver.ts";

const origin = "https://tickets.example.org";
const content = { name: "CRM – Zürich 🎟", secret: "tsk_4fQ9wLxT2bYc8dKp1nRs7vZa3eG", baseUrl: `${origin}/v1` };

/** What a person with the link and the code gets. */
async function opened(link: string, code: string, at = origin) {
  const sealed = await sealedIn(new URL(link).hash);
  return typeof sealed === "string" ? unsealed(sealed, code, at) : sealed;
}

test("a link returns what it was made of, with its code only, and two links of the same differ", async () => {
  const code = newCode();
  const [link, other] = [await sealedLink(content, code, origin), await sealedLink(content, code, origin)];
  assert.deepEqual(await opened(link, code), content);
  assert.equal(await opened(link, newCode()), null);
  assert.notEqual(link, other);
  for (const text of [content.secret, code]) assert.ok(!link.includes(text));
});

test("a link that somebody else made shows nothing that could be pasted into a shell or leads elsewhere", async () => {
  const code = newCode();
  for (const changes of [{ secret: 'tsk_x"; rm -rf ~ #' }, { secret: "" }, { baseUrl: "https://evil.example/v1" }]) {
    assert.equal(await opened(await sealedLink({ ...content, ...changes }, code, origin), code), null);
  }
  assert.equal(await opened(await sealedLink(content, code, origin), code, "https://other.example"), null);
});

test("a fragment that is not a link, or is damaged anywhere, is recognised", async () => {
  const link = await sealedLink(content, newCode(), origin);
  assert.equal(await sealedIn("#keys"), undefined);
  const { hash } = new URL(link);
  for (let end = hash.indexOf("/") + 1; end < hash.length; end += 7)
    assert.equal(await sealedIn(hash.slice(0, end)), null);
  assert.equal(await sealedIn(hash.replace("/1.", "/2.")), null);
});

test("a code survives how people write it down and read it out", () => {
  const code = newCode();
  assert.match(code, /^[0-9A-HJKMNP-TV-Z]{10}$/);
  assert.equal(codeIn(grouped(code)), code);
  assert.equal(codeIn("oil1o – abcde "), "0111 0ABCDE".replace(" ", ""));
  for (const typed of ["", "4FQ9W2BYC", "4FQ9W2BYC88", "4FQ9W2BYCU", "4FQ9W2BY.8"])
    assert.equal(codeIn(typed), null, typed);
});
