import assert from "node:assert/strict";
import { generateKeyPairSync } from "node:crypto";
import { after, before, describe, test } from "node:test";
import { UnsecuredJWT } from "jose";
import { mintApiKey } from "../../../functions/auth/apiKeySecret.ts";
import { PersonPrincipal } from "../../../functions/auth/personPrincipal.ts";
import { defaultClaims, signInEnvironment } from "../../../functions/auth/signInSettings.ts";
import { handler } from "../../../functions/authorizers/superAdminAuthorizer.ts";
import { logger } from "../../../functions/log/logger.ts";
import { clientId, type IdentityProvider, startIdentityProvider } from "../../support/identityProvider.ts";
import { noIdTexts } from "../../support/noIdTexts.ts";

const methodArn = "arn:aws:execute-api:eu-west-1:123456789012:abc/prod/GET/admin/api-keys";

let provider: IdentityProvider;

before(async () => {
  logger.setLogLevel("SILENT");
  provider = await startIdentityProvider();
  Object.assign(process.env, signInEnvironment({ issuer: provider.issuer, clientId, ...defaultClaims }));
});
after(() => provider.stop());

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

test("lets a super-admin call this one method, and tells in strings who it is and of which organisation", async () => {
  const result = await authorize(await provider.sign(provider.claims()));
  assert.deepEqual(result, {
    principalId: "a-person",
    policyDocument: policy("Allow"),
    context: { subject: "a-person", name: "ada@example.org", superAdminOf: "1842" },
  });
  assert.equal((await personWith({ "custom:organisation_id": 7 })).superAdminOf, 7);
  assert.equal((await personWith({ aud: [clientId] })).superAdminOf, 1842);
});

test("knows a person without an address by the subject", async () => {
  assert.deepEqual(await personWith({ email: undefined }), {
    subject: "a-person",
    name: "a-person",
    superAdminOf: 1842,
  });
});

/** Good tokens of people who are no super-admins of an organisation: the endpoint answers them 403. */
const othersClaims: Record<string, object> = {
  "no roles": { "cognito:groups": undefined },
  "other roles": { "cognito:groups": ["staff", "finance", "user-admin"] },
  "a role that begins like it": { "cognito:groups": ["super-admin-assistant", "super-admins"] },
  "a role in another case": { "cognito:groups": ["Super-Admin"] },
  "the role as a text": { "cognito:groups": "super-admin" },
  "the role as an object": { "cognito:groups": { "super-admin": true } },
  "the role in a nested list": { "cognito:groups": [["super-admin"]] },
  "the role beside what is no text": { "cognito:groups": ["super-admin", 7] },
  "the role in the claim groups": { "cognito:groups": [], groups: ["super-admin"] },
  "the role in the claim roles": { "cognito:groups": [], roles: ["super-admin"], role: "super-admin" },
  "the role in the claim scope": { "cognito:groups": [], scope: "super-admin" },
  "no organisation": { "custom:organisation_id": undefined },
  "an organisation of no value": { "custom:organisation_id": null },
  "an organisation that is text": { "custom:organisation_id": "riverside" },
  "an organisation with more text": { "custom:organisation_id": "1842 OR 1" },
  ...Object.fromEntries(
    noIdTexts.map((text) => [`${JSON.stringify(text)} for an organisation`, { "custom:organisation_id": text }]),
  ),
  "organisation 0": { "custom:organisation_id": 0 },
  "a negative organisation": { "custom:organisation_id": -1842 },
  "a broken organisation": { "custom:organisation_id": 1842.5 },
  "a list of organisations": { "custom:organisation_id": ["1842"] },
  "an object for an organisation": { "custom:organisation_id": { id: 1842 } },
  "an organisation beyond what numbers can tell": { "custom:organisation_id": 2 ** 53 },
  "a yes for an organisation": { "custom:organisation_id": true },
  "the organisation in another claim": { "custom:organisation_id": undefined, organisation_id: "1842" },
};

describe("whoever is signed in, but no super-admin of an organisation, is let through as nobody's", () => {
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

/** A good token with other parts in place of its own. */
async function withParts(change: (header: string, payload: string, signature: string) => string[]) {
  const [header = "", payload = "", signature = ""] = (await provider.sign(provider.claims())).split(".");
  return change(header, payload, signature).join(".");
}

const signed =
  (changes: object, header = {}) =>
  () =>
    provider.sign(provider.claims({ ...changes }), header);

/** Tokens that are not good, one for each way. */
const forgeries: Record<string, () => Promise<string> | string> = {
  "no signature, algorithm none": () => new UnsecuredJWT(provider.claims()).encode(),
  "algorithm none with the signature of another": () =>
    withParts((_, payload, signature) => [encode({ alg: "none", kid: "first" }), payload, signature]),
  "algorithm None in other letters": () =>
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
  "HMAC with an empty key's worth of zeros": () =>
    provider.sign(provider.claims(), { alg: "HS256" }, new Uint8Array(32)),
  "another algorithm of the right key": () => provider.sign(provider.claims(), { alg: "RS512" }),
  "an elliptic algorithm of the right key": () =>
    withParts((_, payload, signature) => [encode({ alg: "ES256", kid: "first" }), payload, signature]),
  "another key under the right id": () => provider.sign(provider.claims(), {}, otherKeys().privateKey),
  "another key under another id": () => provider.sign(provider.claims(), { kid: "second" }, otherKeys().privateKey),
  "no key id": () => withParts((_, payload, signature) => [encode({ alg: "RS256" }), payload, signature]),
  "a key id that is a path": () => provider.sign(provider.claims(), { kid: "../../first" }),
  "a key of its own in the header": () => {
    const { publicKey, privateKey } = otherKeys();
    return provider.sign(provider.claims(), { kid: "own", jwk: publicKey.export({ format: "jwk" }) }, privateKey);
  },
  "an address for its key in the header": () =>
    provider.sign(provider.claims(), { kid: "own", jku: `${provider.issuer}/theirs` }, otherKeys().privateKey),
  "another issuer": signed({ iss: "https://evil.example" }),
  "an issuer that begins like it": () => provider.sign(provider.claims({ iss: `${provider.issuer}.evil.example` })),
  "the issuer with a slash": () => provider.sign(provider.claims({ iss: `${provider.issuer}/` })),
  "no issuer": signed({ iss: undefined }),
  "another audience": signed({ aud: "another-client" }),
  "an audience among others": signed({ aud: [clientId, "another-client"] }),
  "no audience": signed({ aud: undefined }),
  "another authorised party": signed({ azp: "another-client" }),
  expired: () => provider.sign(provider.claims({ exp: now() - 1 })),
  "without an end": signed({ exp: undefined }),
  "an end that is text": signed({ exp: "9999999999" }),
  "not yet valid": () => provider.sign(provider.claims({ nbf: now() + 120 })),
  "made in the future": () => provider.sign(provider.claims({ iat: now() + 120 })),
  "without a time of making": signed({ iat: undefined }),
  "an access token by its use": signed({ token_use: "access" }),
  "an access token by its type": signed({}, { typ: "at+jwt" }),
  "an access token as Cognito makes them": signed({
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
  "the signature cut": () => withParts((header, payload, signature) => [header, payload, signature.slice(0, -4)]),
  "no signature": () => withParts((header, payload) => [header, payload, ""]),
  "four parts": () => withParts((...parts) => [...parts, "e30"]),
  "two parts": () => withParts((header, payload) => [header, payload]),
  "claims that are a list": () => withParts((header, _, signature) => [header, encode([]), signature]),
  "claims that are no JSON": () => withParts((header, _, signature) => [header, encode("{"), signature]),
  "a header that is no JSON": () => withParts((_, payload, signature) => [encode("\u0000"), payload, signature]),
  "a header of prototypes": () =>
    withParts((_, payload, signature) => [encode('{"__proto__":{"alg":"RS256","kid":"first"}}'), payload, signature]),
  "an API key": () => mintApiKey().key,
  "an encrypted token's form": () => "eyJhbGciOiJSU0EtT0FFUCJ9.a.b.c.d",
  nothing: () => "",
  "a very long text": () => `${"a".repeat(100_000)}.b.c`,
};

describe("a token that is not good is denied, without a context and without throwing", () => {
  for (const [name, forge] of Object.entries(forgeries)) {
    test(name, async () => {
      const result = await authorize(await forge());
      assert.deepEqual(result, { principalId: "unknown", policyDocument: policy("Deny") });
    });
  }

  test("of which there are at least 25 kinds", () => assert.ok(Object.keys(forgeries).length >= 25));
});

test("asks the provider once for its keys, and never an address that a token names", async () => {
  await authorize(await provider.sign(provider.claims()));
  const before = provider.asked.length;
  for (let count = 0; count < 20; count++) {
    await authorize(await provider.sign(provider.claims()));
    await authorize(await provider.sign(provider.claims(), { kid: `unknown-${count}` }));
  }
  assert.ok(provider.asked.length - before <= 1);
  assert.deepEqual(new Set(provider.asked), new Set(["/.well-known/openid-configuration", "/keys"]));
});
