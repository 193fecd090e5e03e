import { Duration, type RemovalPolicy, Validations } from "aws-cdk-lib";
import { Metric } from "aws-cdk-lib/aws-cloudwatch";
import { Rule, Schedule } from "aws-cdk-lib/aws-events";
import { LambdaFunction } from "aws-cdk-lib/aws-events-targets";
import { PolicyStatement } from "aws-cdk-lib/aws-iam";
import { CfnKey, Key, KeySpec, KeyUsage } from "aws-cdk-lib/aws-kms";
import { SqsEventSource } from "aws-cdk-lib/aws-lambda-event-sources";
import { DeduplicationScope, FifoThroughputLimit, Queue, QueueEncryption } from "aws-cdk-lib/aws-sqs";
import { Construct } from "constructs";
import {
  batchSize,
  consumerTimeoutMs,
  maximumConcurrency,
  retentionMinutes,
  sweepMinutes,
  visibilityTimeoutMs,
  wakeDelaySeconds,
} from "../../functions/webhooks/webhooksDelivery.ts";
import { alarmPeriod, metricsNamespace, serviceAlarm } from "../shared/serviceAlarm.ts";
import { type Directories, type ServiceFunction, serviceFunction } from "../shared/serviceFunction.ts";
import { type DataTable, reaches } from "../table/dataTable.ts";

/**
 * The key from which the signing secrets of webhooks are derived. It belongs to the data: with another key, all receivers would reject all
 * messages.
 */
export class WebhookKey extends Construct {
  private readonly key: Key;

  constructor(scope: Construct, id: string, removalPolicy: RemovalPolicy) {
    super(scope, id);
    this.key = new Key(this, "Key", {
      description: "Derives the signing secrets of webhooks",
      keySpec: KeySpec.HMAC_256,
      keyUsage: KeyUsage.GENERATE_VERIFY_MAC,
      removalPolicy,
    });
    const { defaultChild } = this.key.node;
    if (!CfnKey.isCfnKey(defaultChild)) throw new Error("The key has no resource of its own.");
    // Beside the choices in bootstrap/checkov.yaml, which would hide the finding for other keys.
    defaultChild.addMetadata("checkov", { skip: [{ id: "CKV_AWS_7", comment: "KMS cannot rotate HMAC keys." }] });
  }

  /** Lets a function derive secrets. */
  grant(grantee: ServiceFunction): void {
    grantee.addEnvironment("WEBHOOK_KEY_ID", this.key.keyArn);
    grantee.addToRolePolicy(new PolicyStatement({ actions: ["kms:GenerateMac"], resources: [this.key.keyArn] }));
  }
}

interface WebhooksProps {
  data: DataTable;
  key: WebhookKey;
  /** Made by {@link wakeUpQueue}. */
  wakeUps: Queue;
  directories: Directories;
}

/** Posts changes to receivers: a queue of webhooks to wake, the function that delivers them, and a sweep that wakes all. */
export class Webhooks extends Construct {
  private readonly queue: Queue;

  constructor(scope: Construct, id: string, { data, key, wakeUps, directories }: WebhooksProps) {
    super(scope, id);
    this.queue = wakeUps;
    const handler = serviceFunction(this, "webhooks", {
      directories,
      description: "Delivers webhooks",
      timeoutMs: consumerTimeoutMs,
    });
    data.grant(handler, ["GetItem", "PutItem"], reaches.webhookDelivery);
    data.grant(handler, ["Query"], reaches.webhookChanges);
    key.grant(handler);
    this.grantWake(handler);
    handler.live.addEventSource(
      new SqsEventSource(this.queue, { batchSize, maxConcurrency: maximumConcurrency, reportBatchItemFailures: true }),
    );
    new Rule(this, "Sweep", {
      description: "Wakes all active webhooks",
      schedule: Schedule.rate(Duration.minutes(sweepMinutes)),
      targets: [new LambdaFunction(handler.live)],
    });
    this.addAlarms();
  }

  /** Lets a function wake webhooks. */
  grantWake(grantee: ServiceFunction): void {
    const actions = ["sqs:SendMessage"];
    grantee.addEnvironment("WEBHOOK_QUEUE_URL", this.queue.queueUrl);
    grantee.addToRolePolicy(new PolicyStatement({ actions, resources: [this.queue.queueArn] }));
  }

  private addAlarms(): void {
    const sum = { statistic: "Sum", period: alarmPeriod };
    serviceAlarm(this, "webhooks-failures", {
      meaning: "Webhooks are not delivered because of a fault of ours. Receivers' failures do not count.",
      metric: new Metric({
        namespace: metricsNamespace(this),
        metricName: "webhook_errors",
        dimensionsMap: { operation_id: "webhooks" },
        ...sum,
      }),
      // A busy table fails some deliveries for a minute; the sweep repeats them.
      above: 0,
    });
    serviceAlarm(this, "webhooks-stopped", {
      meaning: "The function that delivers webhooks does not finish, not even the sweep of each minute.",
      metric: new Metric({
        namespace: metricsNamespace(this),
        metricName: "webhook_sweep_failures",
        dimensionsMap: { operation_id: "webhooks" },
        ...sum,
      }),
      // Each sweep reports 0, so only a missing one is bad.
      above: 0,
      isMissingBad: true,
    });
  }
}

/** A queue of webhooks to wake. */
export function wakeUpQueue(scope: Construct, id: string): Queue {
  const queue = new Queue(scope, id, {
    fifo: true,
    // Of each group, that is of each webhook, so that thousands of webhooks can be woken in a second.
    deduplicationScope: DeduplicationScope.MESSAGE_GROUP,
    fifoThroughputLimit: FifoThroughputLimit.PER_MESSAGE_GROUP_ID,
    deliveryDelay: Duration.seconds(wakeDelaySeconds),
    visibilityTimeout: Duration.millis(visibilityTimeoutMs),
    retentionPeriod: Duration.minutes(retentionMinutes),
    encryption: QueueEncryption.SQS_MANAGED,
    enforceSSL: true,
  });
  Validations.of(queue).acknowledge({
    id: "AwsSolutions-SQS3",
    reason:
      "A message only wakes a webhook, and the sweep sends a new one every minute, so a lost one delays nothing for long.",
  });
  return queue;
}
