import { Duration, RemovalPolicy, Validations } from "aws-cdk-lib";
import { PolicyStatement } from "aws-cdk-lib/aws-iam";
import { CfnKey, Key, KeySpec, KeyUsage } from "aws-cdk-lib/aws-kms";
import { RecursiveLoop } from "aws-cdk-lib/aws-lambda";
import { SqsEventSource } from "aws-cdk-lib/aws-lambda-event-sources";
import type { Queue } from "aws-cdk-lib/aws-sqs";
import { Construct } from "constructs";
import {
  batchSize,
  consumerTimeoutMs,
  maximumConcurrency,
  sweepMinutes,
  visibilityTimeoutMs,
} from "../../functions/webhooks/deliveryLimits.ts";
import type { Stage } from "../settings.ts";
import { serviceQueue } from "../shared/deadLetterQueue.ts";
import { maximum, ownMetric } from "../shared/metrics.ts";
import { schedule } from "../shared/schedule.ts";
import { serviceAlarm } from "../shared/serviceAlarm.ts";
import { type Directories, type ServiceFunction, serviceFunction } from "../shared/serviceFunction.ts";
import { type DataTable, tableAccessOf } from "../table/dataTable.ts";

/** The signing secrets of webhooks are derived from it, so it belongs to the data: with another key, receivers would reject all messages. */
export class WebhookKey extends Construct {
  private readonly key: Key;

  constructor(scope: Construct, id: string, stage: Stage) {
    super(scope, id);
    this.key = new Key(this, "Key", {
      description: "Derives the signing secrets of webhooks",
      keySpec: KeySpec.HMAC_256,
      keyUsage: KeyUsage.GENERATE_VERIFY_MAC,
      // A single-Region key could never be replicated to another Region.
      multiRegion: true,
      removalPolicy: stage === "dev" ? RemovalPolicy.DESTROY : RemovalPolicy.RETAIN_ON_UPDATE_OR_DELETE,
    });
    const { defaultChild } = this.key.node;
    if (!CfnKey.isCfnKey(defaultChild)) throw new Error("The key has no resource of its own.");
    // Not in deploy/bootstrap/checkov.yaml, where it would hide the finding for other keys.
    defaultChild.addMetadata("checkov", { skip: [{ id: "CKV_AWS_7", comment: "KMS cannot rotate HMAC keys." }] });
  }

  grant(grantee: ServiceFunction): void {
    grantee.addEnvironment("WEBHOOK_KEY_ID", this.key.keyArn);
    grantee.addToRolePolicy(new PolicyStatement({ actions: ["kms:GenerateMac"], resources: [this.key.keyArn] }));
  }
}

interface WebhooksProps {
  data: DataTable;
  key: WebhookKey;
  wakeUps: Queue;
  directories: Directories;
}

/** Posts changes to receivers: a function delivers the webhooks of a queue, and a sweep wakes those that are due. */
export class Webhooks extends Construct {
  private readonly handler: ServiceFunction;

  constructor(scope: Construct, id: string, { data, key, wakeUps, directories }: WebhooksProps) {
    super(scope, id);
    this.handler = serviceFunction(this, "webhooks", {
      directories,
      description: "Delivers webhooks",
      timeoutMs: consumerTimeoutMs,
      // A webhook goes back to the queue after each message, more often than the 16 times that Lambda allows.
      recursiveLoop: RecursiveLoop.ALLOW,
    });
    data.grant(this.handler, ["GetItem", "PutItem"], tableAccessOf.webhookDelivery);
    data.grant(this.handler, ["Query"], tableAccessOf.webhookChanges);
    key.grant(this.handler);
    grantWake(wakeUps, this.handler);
    this.handler.live.addEventSource(
      new SqsEventSource(wakeUps, {
        batchSize,
        maxConcurrency: maximumConcurrency,
        reportBatchItemFailures: true,
      }),
    );
    schedule(this, "Sweep", {
      description: "Wakes the webhooks that are due",
      period: Duration.minutes(sweepMinutes),
      handler: this.handler,
    });
    this.addAlarms(wakeUps);
  }

  /** Messages name the service's public address. */
  announce(baseUrl: string): void {
    this.handler.addEnvironment("BASE_URL", baseUrl);
  }

  private addAlarms(wakeUps: Queue): void {
    serviceAlarm(this, "webhooks-failures", {
      meaning: "A fault of this service prevents webhook deliveries. Receivers' failures do not count.",
      metric: ownMetric(this, "webhooks", "webhook_errors"),
      // A busy table fails some deliveries for a minute; they are retried.
      above: 0,
    });
    serviceAlarm(this, "webhooks-late", {
      meaning:
        "This service delays a change's message by more than five minutes, or the sweep that runs every minute does not finish.",
      // The age of the oldest change that is due and was not delivered because of us, in seconds.
      metric: ownMetric(this, "webhooks", "webhook_late_seconds", maximum),
      // The sweep is up to a minute late by design, and each sweep reports a value.
      above: 5 * 60,
      isMissingBad: true,
    });
    serviceAlarm(this, "webhooks-waiting", {
      meaning: "Nothing reads the queue of webhook wake-ups.",
      metric: wakeUps.metricApproximateAgeOfOldestMessage(maximum),
      // Delayed messages wait for a minute at most. The sweep, whose delay webhooks-late watches, does not see webhooks that only a message wakes.
      above: 5 * 60,
    });
    serviceAlarm(this, "webhooks-key", {
      meaning: "The key of webhooks' signing secrets cannot be used: it is disabled, or will be deleted.",
      metric: ownMetric(this, "webhooks", "webhook_key_failures"),
      // The sweep checks it each minute. One failed call to KMS is an accident.
      above: 0,
    });
  }
}

export function grantWake(wakeUps: Queue, grantee: ServiceFunction): void {
  grantee.addEnvironment("WEBHOOK_QUEUE_URL", wakeUps.queueUrl);
  grantee.addToRolePolicy(new PolicyStatement({ actions: ["sqs:SendMessage"], resources: [wakeUps.queueArn] }));
}

export function wakeUpQueue(scope: Construct, id: string): Queue {
  const queue = serviceQueue(scope, id, { visibilityTimeout: Duration.millis(visibilityTimeoutMs) });
  Validations.of(queue).acknowledge({
    id: "AwsSolutions-SQS3",
    reason: "A failed message is retried for two weeks, and the next change of its organisation sends another.",
  });
  return queue;
}
