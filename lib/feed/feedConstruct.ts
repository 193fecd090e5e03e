import { Duration } from "aws-cdk-lib";
import { MathExpression } from "aws-cdk-lib/aws-cloudwatch";
import { AccountPrincipal, ArnPrincipal, type IPrincipal, PolicyStatement } from "aws-cdk-lib/aws-iam";
import { RecursiveLoop } from "aws-cdk-lib/aws-lambda";
import { SqsEventSource } from "aws-cdk-lib/aws-lambda-event-sources";
import type { Queue } from "aws-cdk-lib/aws-sqs";
import { Construct } from "constructs";
import {
  batchSize,
  consumerTimeoutMs,
  maximumConcurrency,
  maximumTries,
  visibilityTimeoutMs,
} from "../../functions/feed/feedLimits.ts";
import { maximumMessageBytes } from "../../functions/queue.ts";
import { jobCallTimeoutMs } from "../../functions/table/callLimit.ts";
import { deadLetterAlarm, deadLetterQueue, serviceQueue } from "../shared/deadLetterQueue.ts";
import { maximum, ownMetric, perMinute } from "../shared/metrics.ts";
import { observability, serviceAlarm } from "../shared/serviceAlarm.ts";
import { type Directories, serviceFunction } from "../shared/serviceFunction.ts";
import { type DataTable, tableAccessOf } from "../table/dataTable.ts";

/** Receives records: a queue that named senders may write to, and the dead letters of its consumer. */
export class FeedQueue extends Construct {
  readonly queue: Queue;
  readonly deadLetters = deadLetterQueue(this, "DeadLetters");

  /** @param senders principals outside the account's own policies that may send records. */
  constructor(scope: Construct, id: string, senders: readonly IPrincipal[]) {
    super(scope, id);
    this.queue = serviceQueue(this, "Queue", {
      maxMessageSizeBytes: maximumMessageBytes,
      visibilityTimeout: Duration.millis(visibilityTimeoutMs),
      deadLetterQueue: { queue: this.deadLetters, maxReceiveCount: maximumTries },
    });
    if (senders.length === 0) return;
    const actions = ["sqs:SendMessage", "sqs:GetQueueUrl"];
    this.queue.addToResourcePolicy(
      new PolicyStatement({ principals: [...senders], actions, resources: [this.queue.queueArn] }),
    );
  }
}

/** @param names accounts by their 12 digits, roles and users by their ARN. */
export function principalsOf(names: readonly string[]): IPrincipal[] {
  return names.map((name) => (/^\d+$/.test(name) ? new AccountPrincipal(name) : new ArnPrincipal(name)));
}

interface FeedProps {
  data: DataTable;
  feed: FeedQueue;
  /** Without a record for this time, an alarm is raised; 0 for none. */
  silenceHours: number;
  directories: Directories;
}

export class Feed extends Construct {
  constructor(scope: Construct, id: string, { data, feed, silenceHours, directories }: FeedProps) {
    super(scope, id);
    const consumer = serviceFunction(this, "feed", {
      directories,
      description: "Stores the feed's records",
      timeoutMs: consumerTimeoutMs,
      // It sends the rest of a message to its own queue, which Lambda would otherwise stop as an endless loop.
      recursiveLoop: RecursiveLoop.ALLOW,
    });
    data.grant(consumer, ["BatchGetItem", "GetItem", "PutItem", "UpdateItem"], tableAccessOf.records);
    // The CDK would merge two statements in an order that differs between runs.
    const queueArns = [feed.queue.queueArn, feed.deadLetters.queueArn];
    consumer.addToRolePolicy(new PolicyStatement({ actions: ["sqs:SendMessage"], resources: queueArns }));
    consumer
      .addEnvironment("FEED_QUEUE_URL", feed.queue.queueUrl)
      .addEnvironment("DEAD_LETTER_QUEUE_URL", feed.deadLetters.queueUrl)
      .addEnvironment("DYNAMODB_TIMEOUT_MS", String(jobCallTimeoutMs));
    consumer.live.addEventSource(
      new SqsEventSource(feed.queue, { batchSize, maxConcurrency: maximumConcurrency, reportBatchItemFailures: true }),
    );
    this.addAlarms(feed, silenceHours);
  }

  private addAlarms({ queue, deadLetters }: FeedQueue, hours: number): void {
    deadLetterAlarm(this, "feed-dead-letters", deadLetters, "Records from the feed were not stored.");
    serviceAlarm(observability(this), "feed-age", {
      meaning: "A record has waited in the feed for more than 15 minutes.",
      // The rest of a message that was stored in part is a new message for SQS, so the consumer reports how long its records have waited.
      metric: perMinute("Age of the oldest record in the feed, s", "MAX([FILL(age, 0), FILL(waited, 0)])", {
        age: queue.metricApproximateAgeOfOldestMessage(maximum),
        waited: ownMetric(this, "feed", "waited", maximum),
      }),
      // A message that failed twice is 12 minutes old. After a busy spell of the table, the third try stores it.
      above: 15 * 60,
    });
    if (hours === 0) return;
    const period = Duration.hours(1);
    serviceAlarm(observability(this), "feed-silent", {
      meaning: `No record has arrived for ${hours} hours, so the core system may have stopped sending.`,
      // SQS has no metrics for an unused queue.
      metric: new MathExpression({
        label: "Hours without records",
        expression: "IF(sent > 0, 0, 1)",
        usingMetrics: { sent: queue.metricNumberOfMessagesSent({ statistic: "Sum", period }) },
        period,
      }),
      above: 0,
      period,
      badMinutes: hours * 60,
      ofMinutes: hours * 60,
      isMissingBad: true,
    });
  }
}
