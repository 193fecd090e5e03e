import assert from "node:assert/strict";
import { afterAll, test } from "@jest/globals";
import { JwtVerifier } from "aws-jwt-verify";
import { SimpleJwksCache } from "aws-jwt-verify/jwk";
import { organisationName, people } from "../../../local/signIn/people.ts";
import { codeOf, returned, tokensOf, Visitor } from "../../support/http/visitor.ts";
import { serveSignIn } from "./serveSignIn.ts";

const [person = assert.fail()] = people;

const signIn = await serveSignIn();
afterAll(signIn.stop);

/** The claims of an ID token that aws-jwt-verify accepts. */
async function verify(idToken: string) {
  const fetchBytes = async (uri: string) => (await fetch(uri)).arrayBuffer();
  const verifier = JwtVerifier.create(
    { issuer: signIn.issuer, audience: signIn.clientId, jwksUri: `${signIn.issuer}/jwks` },
    { jwksCache: new SimpleJwksCache({ fetcher: { fetch: fetchBytes } }) },
  );
  return verifier.verify(idToken);
}

for (const known of people) {
  test(`the ID token of ${known.email} has the same claims as Cognito's, and aws-jwt-verify accepts it`, async () => {
    const { id_token } = await new Visitor(signIn).tokensFor(known);
    const { iat, exp, ...claims } = await verify(id_token);
    assert.deepEqual(claims, {
      sub: known.sub,
      email: known.email,
      email_verified: true,
      token_use: "id",
      "cognito:groups": known.groups,
      "custom:organisation_id": String(known.organisation_id),
      "custom:organisation_name": organisationName(known),
      iss: signIn.issuer,
      aud: signIn.clientId,
    });
    assert.equal(Number(exp) - Number(iat), 3600);
    assert.equal(known.groups.includes("super-admin"), known.role === "super-admin");
  });
}

test("the ID token has the nonce from the page's request", async () => {
  const visitor = new Visitor(signIn);
  const form = await visitor.open(visitor.authorizationUrl({ nonce: "only-once" }));
  const code = codeOf(await visitor.submit(form, person.email, person.password));
  const { id_token } = await tokensOf(await visitor.exchange(code));
  assert.equal((await verify(id_token)).nonce, "only-once");
});

test("a refresh returns the same claims and a new refresh token, and reuse of an old one revokes all", async () => {
  const visitor = new Visitor(signIn);
  const first = await visitor.tokensFor(person);
  const second = await tokensOf(await visitor.refresh(first.refresh_token));
  assert.notEqual(second.refresh_token, first.refresh_token);
  const claimsOf = async (idToken: string) => ({ ...(await verify(idToken)), iat: 0, exp: 0 });
  assert.deepEqual(await claimsOf(second.id_token), await claimsOf(first.id_token));

  assert.equal((await visitor.refresh(first.refresh_token)).status, 400);
  assert.equal((await visitor.refresh(second.refresh_token)).status, 400);
});

test("a request without an S256 challenge gets no code", async () => {
  for (const changes of [
    { code_challenge: undefined, code_challenge_method: undefined },
    { code_challenge_method: "plain" },
    { code_challenge_method: undefined },
  ]) {
    const visitor = new Visitor(signIn);
    const { error, code } = returned(await visitor.open(visitor.authorizationUrl(changes)));
    assert.equal(error, "invalid_request");
    assert.equal(code, undefined);
  }
});

test("another client or return address gets neither a code nor a redirect", async () => {
  for (const changes of [
    { client_id: "another" },
    { redirect_uri: `${signIn.baseUrl}/elsewhere` },
    { redirect_uri: "https://attacker.example/developer" },
  ]) {
    const visitor = new Visitor(signIn);
    const response = await visitor.open(visitor.authorizationUrl(changes));
    assert.equal(response.status, 400);
    assert.equal(response.headers.get("Location"), null);
  }
});

test("a code gives tokens once, and only with its verifier and address", async () => {
  const visitor = new Visitor(signIn);
  const changes = {
    code_verifier: "x".repeat(43),
    redirect_uri: `${signIn.baseUrl}/elsewhere`,
    client_id: "another",
  };
  for (const [name, value] of Object.entries(changes)) {
    const response = await visitor.exchange(await visitor.codeFor(person), { [name]: value });
    assert.ok([400, 401].includes(response.status), name);
    visitor.cookies.clear();
  }
  const code = await visitor.codeFor(person);
  assert.equal((await visitor.exchange(code)).status, 200);
  assert.equal((await visitor.exchange(code)).status, 400);
});

test("one tab can still refresh its tokens after another tab has signed in", async () => {
  const visitor = new Visitor(signIn);
  const { refresh_token } = await visitor.tokensFor(person);
  codeOf(await visitor.open(visitor.authorizationUrl()));
  assert.equal((await visitor.refresh(refresh_token)).status, 200);
});

test("all endpoints are under the issuer's URL", async () => {
  const response = await fetch(`${signIn.issuer}/.well-known/openid-configuration`);
  const discovered = (await response.json()) as Record<string, unknown>;
  assert.equal(discovered.issuer, signIn.issuer);
  const endpoints = Object.entries(discovered).filter(([name]) => /_(endpoint|uri)$/.test(name));
  assert.deepEqual(endpoints.map(([name]) => name).sort(), [
    "authorization_endpoint",
    "end_session_endpoint",
    "jwks_uri",
    "token_endpoint",
  ]);
  for (const [name, url] of endpoints) assert.ok(String(url).startsWith(`${signIn.issuer}/`), name);
});
