import { Duration } from "aws-cdk-lib";
import { AccountPrincipal, ArnPrincipal, type IPrincipal, PolicyStatement } from "aws-cdk-lib/aws-iam";
import { SqsEventSource } from "aws-cdk-lib/aws-lambda-event-sources";
import { Queue, QueueEncryption } from "aws-cdk-lib/aws-sqs";
import { Construct } from "constructs";
import {
  batchSize,
  consumerTimeoutMs,
  maximumConcurrency,
  maximumTries,
  visibilityTimeoutMs,
} from "../../functions/consumers/feedDelivery.ts";
import { maximumMessageBytes } from "../../functions/ingest/queue.ts";
import { type DataTable, reaches } from "./dataTable.ts";
import { deadLetterQueue } from "./deadLetterQueue.ts";
import { type Directories, serviceFunction } from "./serviceFunction.ts";

export interface FeedProps {
  data: DataTable;
  directories: Directories;
  /** Principals outside the account's own policies that may send records. */
  senders: readonly IPrincipal[];
}

/** Receives records: a queue that named senders may write to, and the function that stores the records. */
export class Feed extends Construct {
  readonly queue: Queue;

  constructor(scope: Construct, id: string, { data, directories, senders }: FeedProps) {
    super(scope, id);
    const deadLetters = deadLetterQueue(this, "DeadLetters", {
      section: "feed-dead-letters",
      meaning: "Records from the feed were not stored.",
    });
    this.queue = new Queue(this, "Queue", {
      encryption: QueueEncryption.SQS_MANAGED,
      enforceSSL: true,
      maxMessageSizeBytes: maximumMessageBytes,
      // SQS's maximum, so that messages outlive any outage.
      retentionPeriod: Duration.days(14),
      visibilityTimeout: Duration.millis(visibilityTimeoutMs),
      deadLetterQueue: { queue: deadLetters, maxReceiveCount: maximumTries },
    });
    if (senders.length > 0) {
      const actions = ["sqs:SendMessage", "sqs:GetQueueUrl"];
      this.queue.addToResourcePolicy(
        new PolicyStatement({ principals: [...senders], actions, resources: [this.queue.queueArn] }),
      );
    }
    const consumer = serviceFunction(this, "feed", {
      directories,
      description: "Stores the feed's records",
      timeoutMs: consumerTimeoutMs,
    });
    data.grant(consumer, ["BatchWriteItem", "PutItem", "UpdateItem"], reaches.records);
    deadLetters.grantSendMessages(consumer);
    consumer.addEnvironment("DEAD_LETTER_QUEUE_URL", deadLetters.queueUrl);
    consumer.live.addEventSource(
      new SqsEventSource(this.queue, { batchSize, maxConcurrency: maximumConcurrency, reportBatchItemFailures: true }),
    );
  }
}

/** @param names accounts by their 12 digits, roles and users by their ARN. */
export function principalsOf(names: readonly string[]): IPrincipal[] {
  return names.map((name) => (/^\d+$/.test(name) ? new AccountPrincipal(name) : new ArnPrincipal(name)));
}
