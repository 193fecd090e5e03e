import assert from "node:assert/strict";
import type { Server } from "node:http";
import { afterAll, beforeAll, describe, expect, test } from "@jest/globals";
import { clientPackages } from "../../lib/website/clientPackages.ts";
import { developerAreaSite, referenceSite } from "../../lib/website/sites.ts";
import { listenLocally } from "../../local/gateway.ts";
import { localWebsite } from "../../local/localWebsite.ts";
import { developerAreaContentSecurityPolicy } from "../../packages/developer-area/page.ts";
import { portOf } from "../../packages/local-aws/gateway/server.ts";
import { referenceContentSecurityPolicy } from "../../packages/reference/referenceFiles.ts";

const issuer = "https://id.example.org/people";
const signIn = {
  issuer,
  clientId: "page",
  organisationClaim: "org",
  organisationNameClaim: "org_name",
  rolesClaim: "",
  superAdminRole: "",
};
const website = localWebsite(signIn, "https://api.example.org");
const policies = {
  docs: referenceContentSecurityPolicy,
  developer: developerAreaContentSecurityPolicy(["https://id.example.org"]),
};

const elsewhere = { statusCode: 418, headers: {}, body: Buffer.from("the gateway") };

const files = [
  ...referenceSite({ baseUrl: "https://api.example.org" }),
  ...(await developerAreaSite()),
  ...(await clientPackages({ baseUrl: "https://api.example.org" })),
];

describe("the local website", () => {
  let server: Server;
  let baseUrl: string;

  beforeAll(async () => {
    server = await listenLocally(async (incoming) => (await website(incoming)) ?? elsewhere, 0);
    baseUrl = `http://127.0.0.1:${portOf(server)}`;
  });
  afterAll(() => {
    server.close();
    server.closeAllConnections();
  });

  test("serves every file with its type, its Cache-Control and the security headers", async () => {
    for (const { path, contentType, cacheControl, body } of files) {
      const response = await fetch(baseUrl + path);
      assert.equal(response.status, 200, path);
      assert.deepEqual(Buffer.from(await response.arrayBuffer()), Buffer.from(body), path);
      assert.equal(response.headers.get("Content-Type"), contentType);
      assert.equal(response.headers.get("Cache-Control"), cacheControl);
      const policy = path.startsWith("/developer") ? policies.developer : policies.docs;
      assert.equal(response.headers.get("Content-Security-Policy"), policy);
      assert.equal(response.headers.get("X-Content-Type-Options"), "nosniff");
      assert.equal(response.headers.get("X-Frame-Options"), "DENY");
      assert.equal(response.headers.get("Referrer-Policy"), "no-referrer");
    }
  });

  test("gives the Developer area its sign-in settings", async () => {
    const response = await fetch(`${baseUrl}/developer/config.json`);
    assert.equal(response.headers.get("Content-Type"), "application/json; charset=utf-8");
    expect(await response.json()).toEqual({
      issuer,
      client_id: "page",
      scope: "openid email profile",
      organisation_claim: "org",
      organisation_name_claim: "org_name",
    });
  });

  test("responds to HEAD as to GET, without the body, and ignores the query", async () => {
    const head = await fetch(`${baseUrl}/openapi.json?of=now`, { method: "HEAD" });
    assert.equal(head.status, 200);
    assert.equal(head.headers.get("Content-Type"), "application/json; charset=utf-8");
    assert.equal(await head.text(), "");
  });

  test("leaves every other path and method to the gateway", async () => {
    const unknown = ["/docs/unknown", "/openapi/unknown.json", "/clients/unknown.json", "/docs/..%2Fpackage.json"];
    for (const path of [...unknown, "/v1/key", "/constructor", "/developers"]) {
      assert.equal((await fetch(baseUrl + path)).status, elsewhere.statusCode, path);
    }
    for (const path of ["/", "/docs", "/docs/", "/openapi/types.json", "/clients/airbyte-manifest.json"]) {
      assert.equal((await fetch(baseUrl + path, { method: "POST" })).status, elsewhere.statusCode, path);
    }
  });
});

test("the wheel's files have the earliest time of a zip file, so that each synthesis makes the same one", () => {
  const wheel = files.find(({ path }) => path.endsWith(".whl"));
  // The time and date of the first entry (APPNOTE.TXT, section 4.4.6): midnight of 1 January 1980.
  assert.equal(Buffer.from(wheel?.body ?? "").readUInt32LE(10), 0x0021_0000);
});
