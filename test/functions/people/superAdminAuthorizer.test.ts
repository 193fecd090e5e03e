import assert from "node:assert/strict";
import { generateKeyPairSync } from "node:crypto";
import { afterAll, beforeAll, describe, test } from "@jest/globals";
import { UnsecuredJWT } from "jose";
import { mintApiKey } from "../../../functions/keys/apiKeySecret.ts";
import { PersonPrincipal } from "../../../functions/people/personPrincipal.ts";
import { defaultClaims, signInEnvironment } from "../../../functions/people/signInSettings.ts";
import { handler } from "../../../functions/people/superAdminAuthorizer.ts";
import { noIdTexts } from "../../support/http/examples.ts";
import { clientId, type IdentityProvider, startIdentityProvider } from "../../support/http/identityProvider.ts";

const methodArn = "arn:aws:execute-api:eu-west-1:123456789012:abc/prod/GET/admin/api-keys";

let provider: IdentityProvider;

beforeAll(async () => {
  provider = await startIdentityProvider();
  Object.assign(process.env, signInEnvironment({ issuer: provider.issuer, clientId, ...defaultClaims }));
});
afterAll(() => provider.stop());

const authorize = (token: string) => handler({ type: "TOKEN", authorizationToken: `Bearer ${token}`, methodArn });
const policy = (Effect: string) => ({
  Version: "2012-10-17",
  Statement: [
    { Action: "execute-api:Invoke", Effect, Resource: "arn:aws:execute-api:eu-west-1:123456789012:abc/prod/*" },
  ],
});

async function personWith(changes: object): Promise<PersonPrincipal> {
  const result = await authorize(await provider.sign(provider.claims({ ...changes })));
  assert.deepEqual(result.policyDocument, policy("Allow"));
  return PersonPrincipal.parse(result.context);
}

test("allows a super-admin this one method, and passes on the person and the organisation in strings", async () => {
  const result = await authorize(await provider.sign(provider.claims()));
  assert.deepEqual(result, {
    principalId: "a-person",
    policyDocument: policy("Allow"),
    context: { subject: "a-person", name: "ada@example.org", superAdminOf: "1842" },
  });
  assert.equal((await personWith({ "custom:organisation_id": 7 })).superAdminOf, 7);
  assert.equal((await personWith({ aud: [clientId] })).superAdminOf, 1842);
});

test("names a person without an email address by the subject", async () => {
  assert.deepEqual(await personWith({ email: undefined }), {
    subject: "a-person",
    name: "a-person",
    superAdminOf: 1842,
  });
});

/** Valid tokens of people who are not super-admins of an organisation: the endpoint returns 403. */
const othersClaims: Record<string, object> = {
  "no roles": { "cognito:groups": undefined },
  "other roles": { "cognito:groups": ["staff", "finance", "user-admin"] },
  "a role that begins with the name of the right one": { "cognito:groups": ["super-admin-assistant", "super-admins"] },
  "the role in another case": { "cognito:groups": ["Super-Admin"] },
  "the role as a text": { "cognito:groups": "super-admin" },
  "the role as an object": { "cognito:groups": { "super-admin": true } },
  "the role in a nested list": { "cognito:groups": [["super-admin"]] },
  "the role beside a number": { "cognito:groups": ["super-admin", 7] },
  "the role in the claim groups": { "cognito:groups": [], groups: ["super-admin"] },
  "the role in the claim roles": { "cognito:groups": [], roles: ["super-admin"], role: "super-admin" },
  "the role in the claim scope": { "cognito:groups": [], scope: "super-admin" },
  "no organisation": { "custom:organisation_id": undefined },
  "a null organisation": { "custom:organisation_id": null },
  "an organisation that is text": { "custom:organisation_id": "riverside" },
  "an organisation followed by more text": { "custom:organisation_id": "1842 OR 1" },
  ...Object.fromEntries(
    noIdTexts.map((text) => [`${JSON.stringify(text)} as the organisation`, { "custom:organisation_id": text }]),
  ),
  "organisation 0": { "custom:organisation_id": 0 },
  "a negative organisation": { "custom:organisation_id": -1842 },
  "a fractional organisation": { "custom:organisation_id": 1842.5 },
  "a list of organisations": { "custom:organisation_id": ["1842"] },
  "an object as the organisation": { "custom:organisation_id": { id: 1842 } },
  "an organisation above the largest safe integer": { "custom:organisation_id": 2 ** 53 },
  "true as the organisation": { "custom:organisation_id": true },
  "the organisation in another claim": { "custom:organisation_id": undefined, organisation_id: "1842" },
};

describe("a signed-in person who is not a super-admin is allowed, but without an organisation:", () => {
  for (const [name, changes] of Object.entries(othersClaims)) {
    test(name, async () =>
      assert.deepEqual(await personWith(changes), { subject: "a-person", name: "ada@example.org" }),
    );
  }
});

const now = () => Math.floor(Date.now() / 1000);
const otherKeys = () => generateKeyPairSync("rsa", { modulusLength: 2048 });
const encode = (value: unknown) =>
  Buffer.from(typeof value === "string" ? value : JSON.stringify(value)).toString("base64url");

async function withParts(change: (header: string, payload: string, signature: string) => string[]) {
  const [header = "", payload = "", signature = ""] = (await provider.sign(provider.claims())).split(".");
  return change(header, payload, signature).join(".");
}

const signed =
  (changes: object, header = {}) =>
  () =>
    provider.sign(provider.claims({ ...changes }), header);

const forgeries: Record<string, () => Promise<string> | string> = {
  "no signature, algorithm none": () => new UnsecuredJWT(provider.claims()).encode(),
  "algorithm none with another token's signature": () =>
    withParts((_, payload, signature) => [encode({ alg: "none", kid: "first" }), payload, signature]),
  "algorithm None in another case": () =>
    withParts((_, payload, signature) => [encode({ alg: "nOnE", kid: "first" }), payload, signature]),
  "no algorithm": () => withParts((_, payload, signature) => [encode({ kid: "first" }), payload, signature]),
  "HMAC with the public key as PEM": () =>
    provider.sign(
      provider.claims(),
      { alg: "HS256" },
      Buffer.from(provider.publicKey.export({ type: "spki", format: "pem" }).toString()),
    ),
  "HMAC with the public key as DER": () =>
    provider.sign(provider.claims(), { alg: "HS256" }, provider.publicKey.export({ type: "spki", format: "der" })),
  "HMAC with a key of zeros": () => provider.sign(provider.claims(), { alg: "HS256" }, new Uint8Array(32)),
  "another algorithm with the right key": () => provider.sign(provider.claims(), { alg: "RS512" }),
  "an elliptic algorithm with the right key": () =>
    withParts((_, payload, signature) => [encode({ alg: "ES256", kid: "first" }), payload, signature]),
  "another key under the right id": () => provider.sign(provider.claims(), {}, otherKeys().privateKey),
  "another key under another id": () => provider.sign(provider.claims(), { kid: "second" }, otherKeys().privateKey),
  "no key id": () => withParts((_, payload, signature) => [encode({ alg: "RS256" }), payload, signature]),
  "a key id that is a path": () => provider.sign(provider.claims(), { kid: "../../first" }),
  "its own key in the header": () => {
    const { publicKey, privateKey } = otherKeys();
    return provider.sign(provider.claims(), { kid: "own", jwk: publicKey.export({ format: "jwk" }) }, privateKey);
  },
  "the address of its own key in the header": () =>
    provider.sign(provider.claims(), { kid: "own", jku: `${provider.issuer}/theirs` }, otherKeys().privateKey),
  "another issuer": signed({ iss: "https://evil.example" }),
  "an issuer that begins with the right one": () =>
    provider.sign(provider.claims({ iss: `${provider.issuer}.evil.example` })),
  "the issuer with a slash": () => provider.sign(provider.claims({ iss: `${provider.issuer}/` })),
  "no issuer": signed({ iss: undefined }),
  "another audience": signed({ aud: "another-client" }),
  "an audience among others": signed({ aud: [clientId, "another-client"] }),
  "no audience": signed({ aud: undefined }),
  "another authorised party": signed({ azp: "another-client" }),
  expired: () => provider.sign(provider.claims({ exp: now() - 1 })),
  "without an expiry": signed({ exp: undefined }),
  "an expiry that is text": signed({ exp: "9999999999" }),
  "not yet valid": () => provider.sign(provider.claims({ nbf: now() + 120 })),
  "issued in the future": () => provider.sign(provider.claims({ iat: now() + 120 })),
  "without a time of issue": signed({ iat: undefined }),
  "an access token by its use": signed({ token_use: "access" }),
  "an access token by its type": signed({}, { typ: "at+jwt" }),
  "an access token in Cognito's form": signed({
    token_use: "access",
    aud: undefined,
    client_id: clientId,
    scope: "openid",
  }),
  "a logout token by its type": signed({}, { typ: "logout+jwt" }),
  "without a subject": signed({ sub: undefined }),
  "an empty subject": signed({ sub: "" }),
  "claims altered after signing": () =>
    withParts((header, payload, signature) => [
      header,
      encode({ ...JSON.parse(Buffer.from(payload, "base64url").toString()), "custom:organisation_id": "1" }),
      signature,
    ]),
  "a claim added twice after signing": () =>
    withParts((header, payload, signature) => [
      header,
      encode(Buffer.from(payload, "base64url").toString().replace("{", '{"custom:organisation_id":"1",')),
      signature,
    ]),
  "a truncated signature": () => withParts((header, payload, signature) => [header, payload, signature.slice(0, -4)]),
  "no signature": () => withParts((header, payload) => [header, payload, ""]),
  "four parts": () => withParts((...parts) => [...parts, "e30"]),
  "two parts": () => withParts((header, payload) => [header, payload]),
  "claims that are a list": () => withParts((header, _, signature) => [header, encode([]), signature]),
  "claims that are not JSON": () => withParts((header, _, signature) => [header, encode("{"), signature]),
  "a header that is not JSON": () => withParts((_, payload, signature) => [encode("\u0000"), payload, signature]),
  "a header with a prototype": () =>
    withParts((_, payload, signature) => [encode('{"__proto__":{"alg":"RS256","kid":"first"}}'), payload, signature]),
  "an API key": () => mintApiKey().key,
  "the form of an encrypted token": () => "eyJhbGciOiJSU0EtT0FFUCJ9.a.b.c.d",
  nothing: () => "",
  "a very long text": () => `${"a".repeat(100_000)}.b.c`,
};

describe("an invalid token is denied, without a context and without throwing:", () => {
  for (const [name, forge] of Object.entries(forgeries)) {
    test(name, async () => {
      const result = await authorize(await forge());
      assert.deepEqual(result, { principalId: "unknown", policyDocument: policy("Deny") });
    });
  }
});

test("asks the provider once for its keys, and never calls an address from a token", async () => {
  await authorize(await provider.sign(provider.claims()));
  const before = provider.asked.length;
  for (let count = 0; count < 20; count++) {
    await authorize(await provider.sign(provider.claims()));
    await authorize(await provider.sign(provider.claims(), { kid: `unknown-${count}` }));
  }
  assert.ok(provider.asked.length - before <= 1);
  assert.deepEqual(new Set(provider.asked), new Set(["/.well-known/openid-configuration", "/keys"]));
});
