import { readFileSync } from "node:fs";
import { ArnFormat, Duration, Stack, Validations } from "aws-cdk-lib";
import { MathExpression, Metric } from "aws-cdk-lib/aws-cloudwatch";
import { PolicyStatement } from "aws-cdk-lib/aws-iam";
import type { Bucket } from "aws-cdk-lib/aws-s3";
import { CfnSecret } from "aws-cdk-lib/aws-secretsmanager";
import { CfnCanary } from "aws-cdk-lib/aws-synthetics";
import { Construct } from "constructs";
import { transformSync } from "esbuild";
import { secretName, wildcardFinding } from "../shared/names.ts";
import { serviceAlarm } from "../shared/serviceAlarm.ts";
import { serviceBucket } from "../shared/serviceBucket.ts";
import { ServiceRole, serviceLogGroup } from "../shared/serviceFunction.ts";

/**
 * The newest runtime without a browser
 * (https://docs.aws.amazon.com/AmazonCloudWatch/latest/monitoring/CloudWatch_Synthetics_Library_Nodejs.html). AWS refuses to change a canary
 * whose runtime is deprecated, and announces that by e-mail.
 */
const runtimeVersion = "syn-nodejs-5.2";
const every = Duration.minutes(5);

const metricsNamespace = "CloudWatchSynthetics";

/**
 * ACM renews a certificate 60 days before it expires
 * (https://docs.aws.amazon.com/acm/latest/userguide/managed-renewal.html), so with fewer days left its renewal has failed.
 */
const certificateDays = 30;

/** Calls the API through its public address, as a client with a key of its own does, and raises an alarm when that fails. */
export class Probe extends Construct {
  private readonly role = new ServiceRole(this, "Role", "lambda.amazonaws.com");
  /** Synthetics requires one. The program writes no files, so it contains only a summary of each run. */
  private readonly artifacts = serviceBucket(this, true, { lifecycleRules: [{ expiration: Duration.days(30) }] });
  private readonly name = `${Stack.of(this).stackName}-probe`;

  constructor(scope: Construct, id: string, { baseUrl }: { baseUrl: string }) {
    super(scope, id);
    const key = this.keySecret();
    this.grant(key);
    const canary = new CfnCanary(this, "Canary", {
      name: this.name,
      runtimeVersion,
      schedule: { expression: `rate(${every.toMinutes()} minutes)` },
      code: { handler: "index.handler", script: program() },
      runConfig: {
        timeoutInSeconds: 60,
        memoryInMb: 960,
        environmentVariables: { BASE_URL: baseUrl, KEY_SECRET: key.ref, CANARY_NAME: this.name },
      },
      executionRoleArn: this.role.roleArn,
      artifactS3Location: this.artifacts.s3UrlForObject(),
      startCanaryAfterCreation: true,
      provisionedResourceCleanup: "AUTOMATIC",
    });
    // The role may not create a group, because Lambda's would never expire.
    serviceLogGroup(this, "Log", `/aws/lambda/cwsyn-${this.name}-${canary.attrId}`);
    this.addAlarms();
  }

  /** Empty until the platform team fills it. */
  private keySecret(): CfnSecret {
    const secret = new CfnSecret(this, "Key", {
      name: secretName(this, "probe-key"),
      description: "The API key of the probe, created in the Developer area",
    });
    Validations.of(secret).acknowledge({
      id: "AwsSolutions-SMG4",
      reason: "Only a super-admin can create an API key. The runbook describes how to replace it.",
    });
    return secret;
  }

  /** From "Required roles and permissions for canaries" in the CloudWatch user guide, and the secret. */
  private grant(key: CfnSecret): void {
    const logs = Stack.of(this).formatArn({
      service: "logs",
      resource: "log-group",
      resourceName: `/aws/lambda/cwsyn-${this.name}-*`,
      arnFormat: ArnFormat.COLON_RESOURCE_NAME,
    });
    for (const [actions, resource, conditions] of [
      [["secretsmanager:GetSecretValue"], key.ref],
      [["s3:PutObject"], this.artifacts.arnForObjects("*")],
      [["s3:GetBucketLocation"], this.artifacts.bucketArn],
      [["s3:ListAllMyBuckets"], "*"],
      [["cloudwatch:PutMetricData"], "*", { StringEquals: { "cloudwatch:namespace": metricsNamespace } }],
      [["logs:CreateLogStream", "logs:PutLogEvents"], logs],
    ] as const) {
      this.role.addToPolicy(new PolicyStatement({ actions: [...actions], resources: [resource], conditions }));
    }
    acknowledgeFindings(this.role, this.artifacts, logs);
  }

  private addAlarms(): void {
    const success = this.metric("SuccessPercent", "Average");
    serviceAlarm(this, "probe", {
      meaning: "A client with a valid key cannot reach the API through its public address.",
      metric: new MathExpression({
        label: "Failed runs, %",
        expression: "100 - success",
        usingMetrics: { success },
        period: every,
      }),
      above: 0,
      period: every,
      // A single failure may be a network error.
      badMinutes: 10,
      ofMinutes: 15,
      isMissingBad: true,
    });
    const days = this.metric("CertificateDays", "Minimum");
    serviceAlarm(this, "certificate-expiry", {
      meaning: `The certificate of the public address expires within ${certificateDays} days.`,
      metric: new MathExpression({
        label: "Days for which the certificate should have been renewed",
        expression: `${certificateDays} - days`,
        usingMetrics: { days },
        period: every,
      }),
      above: 0,
      period: every,
      // One run is enough: the certificate does not change by itself.
      badMinutes: 5,
    });
    serviceAlarm(this, "probe-key", {
      meaning: "The probe has no API key yet, so it makes only the requests that need none.",
      metric: this.metric("KeyMissing", "Maximum"),
      above: 0,
      period: every,
      badMinutes: 5,
    });
  }

  private metric(metricName: string, statistic: string): Metric {
    return new Metric({
      namespace: metricsNamespace,
      metricName,
      dimensionsMap: { CanaryName: this.name },
      statistic,
      period: every,
    });
  }
}

/** The program in the form that the runtime loads. */
function program(): string {
  const source = readFileSync(new URL("../../functions/probe/probe.ts", import.meta.url), "utf8");
  return transformSync(source, { loader: "ts", format: "cjs", platform: "node", target: "node22" }).code;
}

function acknowledgeFindings(role: ServiceRole, artifacts: Bucket, logs: string): void {
  Validations.of(role).acknowledge(
    {
      id: "AwsSolutions-IAM5[Resource::*]",
      reason:
        "ListAllMyBuckets and PutMetricData do not support resource-level permissions; a condition limits the namespace.",
    },
    {
      id: wildcardFinding(role, logs),
      reason: "Synthetics chooses the end of the group's name, and the names of its streams.",
    },
    {
      id: wildcardFinding(role, artifacts.arnForObjects("*")),
      reason: "Synthetics chooses the names of a run's artifacts.",
    },
  );
  Validations.of(artifacts).acknowledge({
    id: "AwsSolutions-S1",
    reason: "It contains only summaries of the probe's runs, without requests or keys.",
  });
}
