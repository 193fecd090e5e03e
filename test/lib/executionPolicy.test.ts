import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { describe, test } from "@jest/globals";
import { Stage } from "../../lib/settings.ts";
import { allFeatures } from "./support/allFeatures.ts";
import { type Json, resourcesOf, synthesise } from "./support/synthesise.ts";

const text = readFileSync("deploy/bootstrap/executionPolicy.json", "utf8");
const statements: Json[] = JSON.parse(text).Statement;
const syntheses = await Promise.all(Stage.options.map((stage) => synthesise({ ...allFeatures, stage })));
const templates = syntheses.map(({ template }) => template);

/**
 * The service-linked roles that a stage's resources make their services create in an account, by service: API Gateway's for tracing and custom
 * domains, DynamoDB's for every GlobalTable, Backup's for its first vault, Cognito's for e-mails through SES. The others create none, or only for
 * features that no stage uses: WAF's and CloudFront's are for logging, Events' for API destinations.
 * https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_aws-services-that-work-with-iam.html
 */
const serviceLinkedRoles: Record<string, string[]> = {
  ApiGateway: ["ops.apigateway.amazonaws.com"],
  Backup: ["backup.amazonaws.com"],
  Cognito: ["email.cognito-idp.amazonaws.com"],
  DynamoDB: ["replication.dynamodb.amazonaws.com"],
};

const withoutRoles =
  "Budgets CE CloudFront CloudWatch CodeDeploy Events IAM KMS Lambda Logs Pipes S3 SNS SQS SecretsManager WAFv2 XRay";

/** The IAM names of services that CloudFormation names differently. */
const ownNames: Record<string, string> = { cognito: "cognito-idp" };

describe("CloudFormation's own rights", () => {
  test("cover every service that a stage uses", () => {
    const types = templates.flatMap(({ Resources }) => Object.values(Resources).map(({ Type }) => String(Type)));
    const services = new Set(types.flatMap((type) => /^AWS::(\w+)::/.exec(type)?.[1]?.toLowerCase() ?? []));
    assert.ok(services.size > 10);
    const allowed = statements.flatMap(({ Action }) => [Action].flat());
    for (const service of services) {
      const name = ownNames[service] ?? service;
      assert.ok(
        allowed.some((action) => action.startsWith(`${name}:`)),
        service,
      );
    }
  });

  test("allow roles only the AWS policies and the services that a stage needs", () => {
    const conditionOf = (action: string) =>
      statements.find(({ Action }) => [Action].flat().includes(action))?.Condition;
    const roles = templates.flatMap((template) => resourcesOf(template, "AWS::IAM::Role"));
    const policies = roles.flatMap(([, { Properties }]) => Properties.ManagedPolicyArns ?? []);
    const names = policies.map((arn: Json) => /policy\/[\w/-]+/.exec(JSON.stringify(arn))?.[0]);
    assert.deepEqual(
      conditionOf("iam:AttachRolePolicy").ArnEquals["iam:PolicyARN"].toSorted(),
      [...new Set(names)].map((name) => `arn:aws:iam::aws:${name}`).toSorted(),
    );
    const services = roles.flatMap(([, { Properties }]) =>
      Properties.AssumeRolePolicyDocument.Statement.map(({ Principal }: Json) => Principal.Service),
    );
    assert.deepEqual(
      conditionOf("iam:PassRole").StringEquals["iam:PassedToService"].toSorted(),
      [...new Set(services)].toSorted(),
    );
  });

  test("are limited to roles, tables, queues, buckets, secrets, topics and functions with the stack's names", () => {
    for (const { Action, Resource, Condition } of statements) {
      for (const action of [Action].flat()) {
        assert.doesNotMatch(action, /^(\*|iam:\*)/);
        if (action === "iam:CreateServiceLinkedRole") assert.ok(Condition);
        else if (action.startsWith("iam:")) assert.equal(Resource, "arn:aws:iam::*:role/ticketing-*");
        else if (/^(cloudformation:|(dynamodb|sqs|s3|secretsmanager|sns|lambda):\*)/.test(action))
          for (const arn of [Resource].flat())
            assert.match(arn, /ticketing-\*|Website\*|_\*|pipe\/\*|CodeDeployDefault/);
      }
    }
  });

  test("let the API stack read the outputs of its data stack", () => {
    const [reading] = statements.filter(({ Action }) => Action === "cloudformation:DescribeStacks");
    assert.equal(reading?.Resource, "arn:aws:cloudformation:*:*:stack/ticketing-*/*");
    assert.ok(syntheses.every(({ stacks }) => JSON.stringify(stacks.api).includes("Fn::GetStackOutput")));
  });

  test("fit into one managed policy", () => {
    // From "IAM and AWS STS character limits" in the IAM user guide; white space does not count.
    assert.ok(text.replaceAll(/\s/g, "").length <= 6_144);
  });
});

test("CloudFormation may create the service-linked roles of every service that a stage uses, and no others", () => {
  const types = templates.flatMap(({ Resources }) => Object.values(Resources).map(({ Type }) => String(Type)));
  const used = new Set(types.flatMap((type) => /^AWS::(\w+)::/.exec(type)?.[1] ?? []));
  const needed = [...used].flatMap(
    (service) =>
      serviceLinkedRoles[service] ??
      (withoutRoles.split(" ").includes(service) ? [] : assert.fail(`${service} is not listed.`)),
  );
  const creating = statements.find(({ Action }) => Action === "iam:CreateServiceLinkedRole");
  assert.deepEqual(creating?.Condition.StringEquals["iam:AWSServiceName"], needed.toSorted());
});
