import { Duration } from "aws-cdk-lib";
import { AccountPrincipal, ArnPrincipal, type IPrincipal, PolicyStatement } from "aws-cdk-lib/aws-iam";
import { RecursiveLoop } from "aws-cdk-lib/aws-lambda";
import { SqsEventSource } from "aws-cdk-lib/aws-lambda-event-sources";
import { Queue, QueueEncryption } from "aws-cdk-lib/aws-sqs";
import { Construct } from "constructs";
import {
  batchSize,
  consumerTimeoutMs,
  dynamoDbTimeoutMs,
  maximumConcurrency,
  maximumTries,
  visibilityTimeoutMs,
} from "../../functions/feed/feedDelivery.ts";
import { maximumMessageBytes } from "../../functions/feed/queue.ts";
import { deadLetterAlarm, deadLetterQueue } from "../shared/deadLetterQueue.ts";
import { type Directories, serviceFunction } from "../shared/serviceFunction.ts";
import { type DataTable, reaches } from "../table/dataTable.ts";

/** Receives records: a queue that named senders may write to, and the dead letters of its consumer. */
export class FeedQueue extends Construct {
  readonly queue: Queue;
  readonly deadLetters = deadLetterQueue(this, "DeadLetters");

  /** @param senders principals outside the account's own policies that may send records. */
  constructor(scope: Construct, id: string, senders: readonly IPrincipal[]) {
    super(scope, id);
    this.queue = new Queue(this, "Queue", {
      encryption: QueueEncryption.SQS_MANAGED,
      enforceSSL: true,
      maxMessageSizeBytes: maximumMessageBytes,
      // SQS's maximum, so that messages outlive any outage.
      retentionPeriod: Duration.days(14),
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
  directories: Directories;
}

/** The function that stores the feed's records. */
export class Feed extends Construct {
  constructor(scope: Construct, id: string, { data, feed, directories }: FeedProps) {
    super(scope, id);
    deadLetterAlarm(this, feed.deadLetters, {
      section: "feed-dead-letters",
      meaning: "Records from the feed were not stored.",
    });
    const consumer = serviceFunction(this, "feed", {
      directories,
      description: "Stores the feed's records",
      timeoutMs: consumerTimeoutMs,
      // It sends the rest of a message to its own queue, which Lambda would otherwise stop as an endless loop.
      recursiveLoop: RecursiveLoop.ALLOW,
    });
    data.grant(consumer, ["BatchGetItem", "GetItem", "PutItem", "UpdateItem"], reaches.records);
    // The CDK would merge two statements in an order that differs between runs.
    const queueArns = [feed.queue.queueArn, feed.deadLetters.queueArn];
    consumer.addToRolePolicy(new PolicyStatement({ actions: ["sqs:SendMessage"], resources: queueArns }));
    consumer
      .addEnvironment("FEED_QUEUE_URL", feed.queue.queueUrl)
      .addEnvironment("DEAD_LETTER_QUEUE_URL", feed.deadLetters.queueUrl)
      .addEnvironment("DYNAMODB_TIMEOUT_MS", String(dynamoDbTimeoutMs));
    consumer.live.addEventSource(
      new SqsEventSource(feed.queue, { batchSize, maxConcurrency: maximumConcurrency, reportBatchItemFailures: true }),
    );
  }
}
