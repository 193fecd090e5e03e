import assert from "node:assert/strict";
import { describe, test } from "@jest/globals";
import { developerAreaContentSecurityPolicy } from "../../../packages/developer-area/page.ts";
import { type Json, only, resourcesOf, synthesise } from "../support/synthesise.ts";

const { template: prod } = await synthesise({ stage: "prod" });

describe("the user pool", () => {
  const template = prod;
  const pool = only(template, "AWS::Cognito::UserPool");
  const client = only(template, "AWS::Cognito::UserPoolClient").Properties;

  test("lets only the platform team add people, and outlives its stack", () => {
    assert.equal(pool.Properties.AdminCreateUserConfig.AllowAdminCreateUserOnly, true);
    assert.equal(pool.Properties.DeletionProtection, "ACTIVE");
    assert.equal(pool.DeletionPolicy, "Retain");
  });

  test("offers only an app as a second factor, and requires strong passwords", () => {
    assert.deepEqual(pool.Properties.EnabledMfas, ["SOFTWARE_TOKEN_MFA"]);
    const { MinimumLength, TemporaryPasswordValidityDays, ...required } = pool.Properties.Policies.PasswordPolicy;
    assert.ok(MinimumLength >= 14 && TemporaryPasswordValidityDays <= 7);
    assert.deepEqual(new Set(Object.values(required)), new Set([true]));
    assert.equal(Object.keys(required).length, 4);
  });

  test("lets people change neither their organisation nor their email address", () => {
    assert.ok(client.ReadAttributes.includes("custom:organisation_id"));
    assert.ok(client.ReadAttributes.includes("custom:organisation_name"));
    assert.ok(client.WriteAttributes.length > 0);
    for (const attribute of client.WriteAttributes) assert.doesNotMatch(attribute, /^custom:|email/);
  });

  test("has one client, the page, which signs in by code and without a secret on Cognito's own page", () => {
    assert.equal(client.GenerateSecret, false);
    assert.deepEqual(client.AllowedOAuthFlows, ["code"]);
    assert.deepEqual(client.AllowedOAuthScopes, ["openid", "email", "profile"]);
    assert.deepEqual(client.ExplicitAuthFlows, ["ALLOW_REFRESH_TOKEN_AUTH"]);
    const [distribution] = resourcesOf(template, "AWS::CloudFront::Distribution")[0] ?? [];
    const page = { "Fn::Join": ["", ["https://", { "Fn::GetAtt": [distribution, "DomainName"] }, "/developer"]] };
    assert.deepEqual([client.CallbackURLs, client.LogoutURLs], [[page], [page]]);
    assert.equal(only(template, "AWS::Cognito::UserPoolDomain").Properties.ManagedLoginVersion, 2);
  });

  test("shows the Developer area's mark and colour", () => {
    const { Assets, Settings, ...style } = only(template, "AWS::Cognito::ManagedLoginBranding").Properties;
    assert.deepEqual(Object.keys(style).toSorted(), ["ClientId", "UserPoolId"]);
    for (const { Bytes } of Assets) assert.match(Buffer.from(Bytes, "base64").toString(), /^<svg .+#0f766e/s);
    assert.equal(Settings.components.form.logo.enabled, true);
    assert.equal(Settings.components.primaryButton.lightMode.defaults.backgroundColor, "0f766eff");
  });

  test("has a group of super-admins", () => {
    assert.equal(only(template, "AWS::Cognito::UserPoolGroup").Properties.GroupName, "super-admin");
  });

  test("is deleted with a disposable stack", async () => {
    const { DeletionPolicy, Properties } = only(
      (await synthesise({ stage: "dev" })).template,
      "AWS::Cognito::UserPool",
    );
    assert.deepEqual([DeletionPolicy, Properties.DeletionProtection], ["Delete", "INACTIVE"]);
  });
});

test("people's tokens end after 15 minutes and are renewed for 12 hours, and first passwords end after three days", () => {
  const { Properties: client } = only(prod, "AWS::Cognito::UserPoolClient");
  assert.deepEqual([client.IdTokenValidity, client.AccessTokenValidity, client.RefreshTokenValidity], [15, 15, 720]);
  assert.deepEqual(new Set(Object.values(client.TokenValidityUnits)), new Set(["minutes"]));
  const { Policies } = only(prod, "AWS::Cognito::UserPool").Properties;
  assert.equal(Policies.PasswordPolicy.TemporaryPasswordValidityDays, 3);
});

test("people's addresses are alike in any case, and only an e-mail recovers an account", () => {
  const { UsernameConfiguration, AccountRecoverySetting } = only(prod, "AWS::Cognito::UserPool").Properties;
  assert.deepEqual(UsernameConfiguration, { CaseSensitive: false });
  assert.deepEqual(AccountRecoverySetting.RecoveryMechanisms, [{ Name: "verified_email", Priority: 1 }]);
});

test("outsiders cannot find out who has an account, and a sign-out ends the refresh tokens", () => {
  const { PreventUserExistenceErrors, EnableTokenRevocation } = only(prod, "AWS::Cognito::UserPoolClient").Properties;
  assert.deepEqual([PreventUserExistenceErrors, EnableTokenRevocation], ["ENABLED", true]);
});

test("requires a second factor by an app where keys to real data can be created, unless a setting leaves it to people", async () => {
  const mfaOf = async (settings: Record<string, string>) =>
    only((await synthesise(settings)).template, "AWS::Cognito::UserPool").Properties.MfaConfiguration;
  assert.equal(await mfaOf({ stage: "prod" }), "ON");
  assert.equal(await mfaOf({ stage: "prod", signInMfa: "optional" }), "OPTIONAL");
  assert.equal(await mfaOf({ stage: "staging" }), "OPTIONAL");
  assert.equal(await mfaOf({ stage: "dev", signInMfa: "required" }), "ON");
});

test("Cognito sends e-mails through SES if the settings name an address, and otherwise by itself", async () => {
  assert.equal(only(prod, "AWS::Cognito::UserPool").Properties.EmailConfiguration, undefined);
  const { template } = await synthesise({ stage: "prod", signInEmail: "no-reply@example.org" });
  const { EmailSendingAccount, From, SourceArn } = only(template, "AWS::Cognito::UserPool").Properties
    .EmailConfiguration;
  assert.deepEqual([EmailSendingAccount, From], ["DEVELOPER", "no-reply@example.org"]);
  assert.match(JSON.stringify(SourceArn), /:ses:.*:identity\/example\.org"/);
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

  test("replaces the user pool and all its resources", () => {
    assert.deepEqual(
      Object.values(template.Resources).filter(({ Type }) => Type.startsWith("AWS::Cognito::")),
      [],
    );
    assert.deepEqual(findings, []);
  });

  test("is the only one whose tokens the authorizer accepts", () => {
    const [, authorizer] =
      resourcesOf(template, "AWS::Lambda::Function").find(
        ([, { Properties }]) => Properties.Environment?.Variables.SIGN_IN,
      ) ?? [];
    assert.deepEqual(JSON.parse((authorizer as Json).Properties.Environment.Variables.SIGN_IN), {
      issuer: "https://id.example.org/tenant",
      clientId: "developer-area",
      organisationClaim: "https://example.org/organisation",
      organisationNameClaim: "custom:organisation_name",
      rolesClaim: "roles",
      superAdminRole: "owner",
    });
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
  const [distributionId = ""] = resourcesOf(template, "AWS::CloudFront::Distribution")[0] ?? [];
  assert.deepEqual(template.Outputs.DistributionDomainName.Value, { "Fn::GetAtt": [distributionId, "DomainName"] });
  assert.equal(template.Outputs.DeveloperAreaUrl.Value, page);
});
