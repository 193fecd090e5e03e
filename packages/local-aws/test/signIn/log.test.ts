import assert from "node:assert/strict";
import { afterAll, jest, test } from "@jest/globals";
import Provider from "oidc-provider";
import { logger } from "../../../../functions/log/logger.ts";
import { people } from "../../../../local/demo/demoPeople.ts";
import { findSensitive } from "../../../../test/support/http/assertProblem.ts";
import { Visitor } from "../../../../test/support/http/visitor.ts";
import { logTo } from "../../log.ts";
import { serveSignIn } from "./serveSignIn.ts";

const [person = assert.fail()] = people;

afterAll(() => void jest.restoreAllMocks());

// In a separate file, because the provider gives each warning only once per process.
test("the sign-in logs its own error in one line, without secrets or names", async () => {
  const written: string[] = [];
  for (const stream of [process.stdout, process.stderr]) {
    jest.spyOn(stream, "write").mockImplementation((chunk) => written.push(String(chunk)) > 0);
  }
  logger.setLogLevel("INFO");
  logTo(logger);
  const logged = () => written.filter((line) => line.includes('"service":"ticketing-api"'));
  const signIn = await serveSignIn();
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

  const failing = jest
    .spyOn(Provider.prototype, "interactionResult")
    .mockImplementation(() => assert.fail("the reason"));
  const answer = await new Visitor(signIn).codeFor(person).catch(String);
  failing.mockRestore();
  assert.match(String(answer), /500/);
  assert.equal(logged().length, 1);
  assert.equal(JSON.parse(logged()[0] ?? "").error.message, "the reason");
  const text = written.join("");
  assert.deepEqual(findSensitive(text, []), []);
  for (const secret of [person.password, "wrong-secret", refresh_token, id_token]) assert.ok(!text.includes(secret));
});
