import assert from "node:assert/strict";
import { describe, test } from "@jest/globals";
import { developerAreaContentSecurityPolicy } from "../../../packages/developer-area/page.ts";
import { only, resourcesOf, synthesise } from "../support/synthesise.ts";

const { template: prod } = await synthesise({ stage: "prod" });

test("people can change neither their organisation nor their email address", () => {
  const { Properties: client } = only(prod, "AWS::Cognito::UserPoolClient");
  assert.ok(client.ReadAttributes.includes("custom:organisation_id"));
  assert.ok(client.WriteAttributes.length > 0);
  for (const attribute of client.WriteAttributes) assert.doesNotMatch(attribute, /^custom:|email/);
});

test("a second factor is required in prod unless a setting makes it optional", async () => {
  const mfaOf = async (settings: Record<string, string>) =>
    only((await synthesise(settings)).template, "AWS::Cognito::UserPool").Properties.MfaConfiguration;
  assert.equal(await mfaOf({ stage: "prod" }), "ON");
  assert.equal(await mfaOf({ stage: "prod", signInMfa: "optional" }), "OPTIONAL");
  assert.equal(await mfaOf({ stage: "dev" }), "OPTIONAL");
});

const external = await synthesise({
  stage: "prod",
  signInIssuer: "https://id.example.org/tenant",
  signInClientId: "developer-area",
  signInOrigins: "https://tokens.example.org https://id.example.org",
  signInOrganisationClaim: "https://example.org/organisation",
  signInRolesClaim: "roles",
  signInSuperAdminRole: "owner",
});

describe("another identity provider", () => {
  const { template, findings } = external;

  test("replaces the user pool and is the only one whose tokens the authorizer accepts", () => {
    assert.ok(Object.values(template.Resources).every(({ Type }) => !Type.startsWith("AWS::Cognito::")));
    assert.deepEqual(findings, []);
    const settings = resourcesOf(template, "AWS::Lambda::Function").flatMap(
      ([, { Properties }]) => Properties.Environment?.Variables.SIGN_IN ?? [],
    );
    assert.deepEqual(
      settings.map((text) => JSON.parse(text)),
      [
        {
          issuer: "https://id.example.org/tenant",
          clientId: "developer-area",
          organisationClaim: "https://example.org/organisation",
          organisationNameClaim: "custom:organisation_name",
          rolesClaim: "roles",
          superAdminRole: "owner",
        },
      ],
    );
  });

  test("is the only one that the page may call", () => {
    const policies = resourcesOf(template, "AWS::CloudFront::ResponseHeadersPolicy").map(
      ([, { Properties }]) =>
        Properties.ResponseHeadersPolicyConfig.SecurityHeadersConfig.ContentSecurityPolicy.ContentSecurityPolicy,
    );
    const expected = developerAreaContentSecurityPolicy(["https://id.example.org", "https://tokens.example.org"]);
    assert.ok(policies.includes(expected), policies.join("\n"));
  });
});

test("a custom domain name is the service's address everywhere", async () => {
  const certificateArn = "arn:aws:acm:us-east-1:123456789012:certificate/0a1b";
  const { template } = await synthesise({ stage: "prod", domainName: "tickets.example.org", certificateArn });
  const { Aliases, ViewerCertificate } = only(template, "AWS::CloudFront::Distribution").Properties.DistributionConfig;
  assert.deepEqual(Aliases, ["tickets.example.org"]);
  assert.equal(ViewerCertificate.AcmCertificateArn, certificateArn);
  assert.equal(ViewerCertificate.MinimumProtocolVersion, "TLSv1.2_2021");
  const page = "https://tickets.example.org/developer";
  assert.deepEqual(only(template, "AWS::Cognito::UserPoolClient").Properties.CallbackURLs, [page]);
  assert.equal(template.Outputs.BaseUrl.Value, "https://tickets.example.org");
  const alarms = resourcesOf(template, "AWS::CloudWatch::Alarm").map(([, { Properties }]) => Properties.AlarmName);
  assert.ok(alarms.includes("ticketing-prod-certificate-expiry"));
});
