import assert from "node:assert/strict";
import { test } from "@jest/globals";
import { JwtVerifier } from "aws-jwt-verify";
import { SimpleJwksCache } from "aws-jwt-verify/jwk";
import { people, signInOptions } from "../../../../local/demo/demoPeople.ts";
import { codeOf, returned, tokensOf, Visitor } from "../../../../test/support/http/visitor.ts";
import { problemPage } from "../../signIn/pages.ts";
import { serveSignIn } from "./serveSignIn.ts";

const [person = assert.fail(), another = assert.fail()] = people;

const signIn = await serveSignIn();

const signOutUrl = (parameters: Record<string, string> = {}) =>
  `${signIn.issuer}/session/end?${new URLSearchParams({
    client_id: signIn.clientId,
    post_logout_redirect_uri: signIn.returnTo,
    ...parameters,
  })}`;

test("a wrong password and an unknown address get the same response, which keeps the address", async () => {
  const answers = [];
  for (const email of [person.email, "nobody@riverside.example"]) {
    const visitor = new Visitor(signIn);
    const form = await visitor.open(visitor.authorizationUrl());
    const response = await visitor.submit(form, email, "wrong");
    const body = await response.text();
    assert.ok(body.includes(`value="${email}"`));
    answers.push({ status: response.status, body: body.replace(`value="${email}"`, "") });
    codeOf(await visitor.submit(form, person.email, person.password));
  }
  assert.match(answers[0]?.body ?? "", /The e-mail address or the password is wrong\./);
  assert.deepEqual(answers[0], answers[1]);
});

test("the form ignores an email address's case and surrounding spaces, but not a password's", async () => {
  const visitor = new Visitor(signIn);
  const form = await visitor.open(visitor.authorizationUrl());
  for (const password of ["", another.password, person.password.toUpperCase()]) {
    assert.equal((await visitor.submit(form, person.email, password)).status, 200, password);
  }
  codeOf(await visitor.submit(form, ` ${person.email.toUpperCase()} `, person.password));
});

test("the form shows input as text, never as markup", async () => {
  const visitor = new Visitor(signIn);
  const form = await visitor.open(visitor.authorizationUrl());
  const body = await (await visitor.submit(form, `"><script>alert('1')</script>&`, "wrong")).text();
  assert.doesNotMatch(body, /<script/);
  assert.ok(body.includes(`value="&#34;&#62;&#60;script&#62;alert(&#39;1&#39;)&#60;/script&#62;&#38;"`));

  const refused = await visitor.open(visitor.authorizationUrl({ client_id: "<script>", scope: "<script>" }));
  assert.doesNotMatch(await refused.text(), /<script/);
  const page = problemPage(signInOptions, "<script>'", '"><script>');
  assert.ok(page.includes("<p>&#60;script&#62;&#39;</p>"));
  assert.doesNotMatch(page, /<script/);
});

test("the page lists every demo person with the password, and every page has strict headers", async () => {
  const visitor = new Visitor(signIn);
  const form = await visitor.open(visitor.authorizationUrl());
  const refused = await visitor.open(`${signIn.issuer}/auth`);
  for (const { headers } of [form, refused]) {
    const policy = headers.get("Content-Security-Policy") ?? "";
    const rules = [
      "default-src 'none'",
      "script-src;",
      "form-action 'self'",
      "frame-ancestors 'none'",
      "base-uri 'none'",
    ];
    for (const rule of rules) assert.ok(policy.includes(rule), rule);
    assert.doesNotMatch(policy, /unsafe/);
    assert.equal(headers.get("Cache-Control"), "no-store");
    assert.equal(headers.get("Referrer-Policy"), "no-referrer");
    assert.equal(headers.get("X-Frame-Options"), "DENY");
    assert.equal(headers.get("X-Content-Type-Options"), "nosniff");
  }
  const body = await form.text();
  for (const { email, password } of people) assert.ok(body.includes(email) && body.includes(password), email);
});

test("a person with a session is not asked for the password", async () => {
  const visitor = new Visitor(signIn);
  const first = await visitor.codeFor(person);
  const second = codeOf(await visitor.open(visitor.authorizationUrl()));
  assert.notEqual(first, second);
  assert.equal((await visitor.exchange(second)).status, 200);
});

test("nobody is asked for consent, even if the page requests it", async () => {
  const visitor = new Visitor(signIn);
  const response = await visitor.open(visitor.authorizationUrl({ prompt: "consent" }));
  assert.equal(returned(response).error, "invalid_request");
});

test("signing out ends the session and its tokens and returns to the page at once", async () => {
  const visitor = new Visitor(signIn);
  const { refresh_token } = await visitor.tokensFor(person);
  const response = await visitor.open(signOutUrl({ state: "the-state" }));
  assert.equal(response.headers.get("Location"), `${signIn.returnTo}?state=the-state`);

  assert.equal((await visitor.refresh(refresh_token)).status, 400);
  const form = await visitor.open(visitor.authorizationUrl());
  assert.match(await form.text(), /<h1>Sign in to the Developer area<\/h1>/);
  const silent = await visitor.open(visitor.authorizationUrl({ prompt: "none" }));
  assert.equal(returned(silent).error, "login_required");
});

test("signing out without a session also returns to the page, even without its address", async () => {
  const visitor = new Visitor(signIn);
  for (const url of [signOutUrl(), `${signIn.issuer}/session/end`]) {
    const response = await visitor.submitItself(await visitor.open(url));
    assert.equal(response.headers.get("Location"), signIn.returnTo);
  }
});

test("another person can sign in during a session", async () => {
  const visitor = new Visitor(signIn);
  await visitor.codeFor(person);
  const form = await visitor.open(visitor.authorizationUrl({ prompt: "login" }));
  const code = codeOf(await visitor.submitItself(await visitor.submit(form, another.email, another.password)));
  const { id_token } = await tokensOf(await visitor.exchange(code));
  assert.equal(JSON.parse(Buffer.from(id_token.split(".")[1] ?? "", "base64url").toString()).sub, another.sub);
});

test("signing out never redirects to another address", async () => {
  const visitor = new Visitor(signIn);
  await visitor.codeFor(person);
  const response = await visitor.open(signOutUrl({ post_logout_redirect_uri: "https://attacker.example" }));
  assert.equal(response.status, 400);
  assert.equal(response.headers.get("Location"), null);
});

test("an unknown or expired sign-in shows a page with a link back", async () => {
  for (const path of ["/interaction/unknown", "/auth/unknown"]) {
    const response = await new Visitor(signIn).open(signIn.issuer + path);
    const body = await response.text();
    assert.equal(response.status, 400);
    assert.ok(body.includes(`<a href="${signIn.returnTo}">`), path);
    assert.doesNotMatch(body, /\bat .*:\d+/);
  }
});

test("other paths are ignored, and the page's paths on another host redirect to its own", async () => {
  for (const path of ["/", "/sign-in", "/sign-inn/auth", "/v1/events", "/developer", "/developers"]) {
    assert.equal((await fetch(signIn.baseUrl + path)).status, 418, path);
  }
  const elsewhere = `http://127.0.0.1:${signIn.port}`;
  for (const path of ["/developer", "/developer?a=1", "/developer/assets/a.js", "/sign-in/auth?a=1"]) {
    const response = await fetch(elsewhere + path, { redirect: "manual" });
    assert.equal(response.headers.get("Location"), signIn.baseUrl + path);
  }
  assert.equal((await fetch(`${elsewhere}/developers`, { redirect: "manual" })).status, 418);
});

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
      "custom:organisation_name": known.organisation,
      iss: signIn.issuer,
      aud: signIn.clientId,
    });
    assert.equal(Number(exp) - Number(iat), 3600);
    assert.equal(known.groups.includes("super-admin"), known.role === "super-admin");
  });
}

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
