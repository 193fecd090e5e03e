import { Duration, Validations } from "aws-cdk-lib";
import { PolicyStatement } from "aws-cdk-lib/aws-iam";
import { CfnSecret } from "aws-cdk-lib/aws-secretsmanager";
import { Construct } from "constructs";
import type { Settings } from "../settings.ts";
import { ownMetric } from "../shared/metrics.ts";
import { secretName } from "../shared/names.ts";
import { schedule } from "../shared/schedule.ts";
import { observability, serviceAlarm } from "../shared/serviceAlarm.ts";
import { type Directories, serviceFunction } from "../shared/serviceFunction.ts";

/** The secret with the probe's API key: empty until the platform team fills it. */
export function probeKey(scope: Construct): CfnSecret {
  const secret = new CfnSecret(scope, "ProbeKey", {
    name: secretName(scope, "probe-key"),
    description: "The API key of the probe, created in the Developer area",
  });
  Validations.of(secret).acknowledge({
    id: "AwsSolutions-SMG4",
    reason: "Only a super-admin can create an API key. The runbook describes how to replace it.",
  });
  return secret;
}

interface ProbeProps {
  baseUrl: string;
  key: CfnSecret;
  settings: Settings;
  directories: Directories;
}

/** Calls the API through its public address, as a client with a key of its own does, and raises an alarm when that fails. */
export class Probe extends Construct {
  constructor(scope: Construct, id: string, { baseUrl, key, settings, directories }: ProbeProps) {
    super(scope, id);
    const handler = serviceFunction(this, "probe", {
      directories,
      description: "Calls the API through its public address",
      // Longer than all of its requests with their timeouts.
      timeoutMs: 60_000,
      environment: { BASE_URL: baseUrl, KEY_SECRET: key.ref },
    });
    handler.addToRolePolicy(new PolicyStatement({ actions: ["secretsmanager:GetSecretValue"], resources: [key.ref] }));
    const period = Duration.minutes(5);
    schedule(this, "Schedule", { description: "Runs the probe", period, handler });
    serviceAlarm(observability(this), "probe", {
      meaning: "A client with a valid key cannot reach the API through its public address.",
      metric: handler.metricErrors({ statistic: "Sum", period }),
      above: 0,
      period,
      // A single failure may be a network error.
      badMinutes: 10,
      ofMinutes: 15,
      isMissingBad: true,
    });
    // CloudFront renews its own certificate.
    if (settings.certificateArn === undefined) return;
    serviceAlarm(observability(this), "certificate-expiry", {
      meaning: "The certificate of the public address should have been renewed.",
      metric: ownMetric(this, "probe", "certificate_expiring", { statistic: "Maximum", period }),
      above: 0,
      period,
      // One run is enough: the certificate does not change by itself.
      badMinutes: 5,
      ofMinutes: 5,
    });
  }
}
