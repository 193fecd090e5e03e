import assert from "node:assert/strict";
import { test } from "node:test";
import Provider from "oidc-provider";
import { people } from "../../../local/signIn/people.ts";
import { findSensitive } from "../../support/sensitive.ts";
import { Visitor } from "../../support/visitor.ts";
import { serveSignIn } from "./serveSignIn.ts";

const [person = assert.fail()] = people;

// In a file and so a process of its own: the provider warns of each thing once.
test("the sign-in logs an error of its own in one line, and nothing that opens anything or names anybody", async (t) => {
  const written: string[] = [];
  for (const stream of [process.stdout, process.stderr]) {
    const write = stream.write.bind(stream);
    // The test runner reports by the same way, in bytes.
    t.mock.method(stream, "write", (chunk: string | Uint8Array) =>
      typeof chunk === "string" ? written.push(chunk) > 0 : write(chunk),
    );
  }
  const logged = () => written.filter((line) => line.includes('"service":"ticketing-api"'));
  const signIn = await serveSignIn();
  t.after(signIn.stop);
  const visitor = new Visitor(signIn);
  const form = await visitor.open(visitor.authorizationUrl());
  await visitor.submit(form, person.email, "wrong-secret");
  const { refresh_token, id_token } = await visitor.tokensFor(person);
  await visitor.refresh(refresh_token);
  await visitor.refresh("unknown");
  await visitor.open(visitor.authorizationUrl({ redirect_uri: "https://attacker.example" }));
  assert.deepEqual(
    written.filter((line) => /oidc-provider|WARNING|NOTICE/.test(line)),
    [],
  );
  assert.deepEqual(logged(), []);

  const failing = t.mock.method(Provider.prototype, "interactionResult", () => assert.fail("the reason"));
  const answer = await new Visitor(signIn).codeFor(person).catch(String);
  failing.mock.restore();
  assert.match(String(answer), /500/);
  assert.equal(logged().length, 1);
  assert.equal(JSON.parse(logged()[0] ?? "").error.message, "the reason");
  const text = written.join("");
  assert.deepEqual(findSensitive(text, []), []);
  for (const secret of [person.password, "wrong-secret", refresh_token, id_token]) assert.ok(!text.includes(secret));
});
