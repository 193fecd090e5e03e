import assert from "node:assert/strict";
import { describe, test } from "@jest/globals";
import fc from "fast-check";
import { ApiKeyPrincipal } from "../../../functions/keys/apiKeyPrincipal.ts";
import { PersonPrincipal } from "../../../functions/people/personPrincipal.ts";
import { noIdTexts } from "../../support/http/examples.ts";

const key = { keyId: "k1", keyName: "Nightly sync", keyPrefix: "tsk_12345678" };
const person = { subject: "a-person", name: "ada@example.org" };
const id = fc.integer({ min: 1, max: Number.MAX_SAFE_INTEGER });

describe("the endpoint gets the principal that the authorizer passed on:", () => {
  test("an API key", () => {
    fc.assert(
      fc.property(id, fc.subarray(["read", "write:orders"] as const, { minLength: 1 }), (organisationId, scopes) => {
        const principal: ApiKeyPrincipal = { ...key, organisationId, scopes };
        const context = ApiKeyPrincipal.encode(principal);
        assert.deepEqual(context, { ...key, organisationId: String(organisationId), scopes: scopes.join(" ") });
        assert.deepEqual(ApiKeyPrincipal.parse(context), principal);
      }),
    );
  });

  test("a person, super-admin or not", () => {
    fc.assert(
      fc.property(fc.option(id, { nil: undefined }), (superAdminOf) => {
        const principal: PersonPrincipal = { ...person, ...(superAdminOf !== undefined && { superAdminOf }) };
        const context = PersonPrincipal.encode(principal);
        assert.deepEqual(context, { ...principal, ...(superAdminOf && { superAdminOf: String(superAdminOf) }) });
        assert.deepEqual(PersonPrincipal.parse(context), principal);
      }),
    );
  });
});

describe("an organisation that is not in the authorizer's form is an error:", () => {
  for (const text of noIdTexts) {
    test(JSON.stringify(text), () => {
      assert.equal(ApiKeyPrincipal.safeParse({ ...key, organisationId: text, scopes: "read" }).success, false);
      assert.equal(PersonPrincipal.safeParse({ ...person, superAdminOf: text }).success, false);
    });
  }
});

test("an invalid organisation is never passed on", () => {
  for (const organisation of [0, -1, 1.5, Number.NaN, 2 ** 53]) {
    assert.throws(() => ApiKeyPrincipal.encode({ ...key, organisationId: organisation, scopes: ["read"] }));
    assert.throws(() => PersonPrincipal.encode({ ...person, superAdminOf: organisation }));
  }
});
