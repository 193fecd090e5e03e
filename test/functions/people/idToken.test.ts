import assert from "node:assert/strict";
import { afterEach, beforeEach, describe, test } from "@jest/globals";
import { idTokenVerifier } from "../../../functions/people/idToken.ts";
import { defaultClaims } from "../../../functions/people/signInSettings.ts";
import { clientId, type IdentityProvider, startIdentityProvider } from "../../support/http/identityProvider.ts";

let provider: IdentityProvider;
beforeEach(async () => {
  provider = await startIdentityProvider();
});
afterEach(() => provider.stop());

const discovery = "/.well-known/openid-configuration";
const settings = () => ({ issuer: provider.issuer, clientId, ...defaultClaims });

test("the settings name the claims for organisation and role", async () => {
  const verify = idTokenVerifier({
    ...settings(),
    organisationClaim: "https://x/org",
    rolesClaim: "roles",
    superAdminRole: "owner",
  });
  const other = { "https://x/org": 7, roles: ["owner"] };
  assert.equal((await verify(await provider.sign(provider.claims(other))))?.superAdminOf, 7);
  assert.equal((await verify(await provider.sign(provider.claims())))?.superAdminOf, undefined);
});

describe("an unavailable provider is an error, not a bad token, and is asked again the next time:", () => {
  const failures: Record<string, { path: string; status: number; body: () => string }> = {
    "no discovery document": { path: discovery, status: 500, body: () => "" },
    "a discovery document that is not JSON": { path: discovery, status: 200, body: () => "<html>" },
    "the discovery document of another issuer": {
      path: discovery,
      status: 200,
      body: () => JSON.stringify({ issuer: "https://evil.example", jwks_uri: `${provider.issuer}/keys` }),
    },
    "no keys": { path: "/keys", status: 503, body: () => "" },
    "keys that are not JSON": { path: "/keys", status: 200, body: () => "<html>" },
    "keys that are not JWKs": { path: "/keys", status: 200, body: () => '{"keys":[7]}' },
  };
  for (const [name, { path, status, body }] of Object.entries(failures)) {
    test(name, async () => {
      const verify = idTokenVerifier(settings());
      const token = await provider.sign(provider.claims());
      const good = provider.answers.get(path);
      provider.answers.set(path, { status, body: body() });
      await assert.rejects(verify(token));
      if (good) provider.answers.set(path, good);
      assert.equal((await verify(token))?.superAdminOf, 1842);
    });
  }

  test("no server", async () => {
    provider.stop();
    await assert.rejects(idTokenVerifier(settings())(await provider.sign(provider.claims())), {
      name: "IdentityProviderUnavailable",
    });
  });
});

test("a redirect is not followed", async () => {
  const document = provider.answers.get(discovery) ?? assert.fail();
  provider.answers.set("/moved", document).set(discovery, { status: 302, body: "", location: "/moved" });
  await assert.rejects(idTokenVerifier(settings())(await provider.sign(provider.claims())));
});
