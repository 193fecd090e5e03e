import { Duration } from "aws-cdk-lib";
import { AccountPrincipal, ArnPrincipal, type IPrincipal, PolicyStatement } from "aws-cdk-lib/aws-iam";
import { Queue, QueueEncryption } from "aws-cdk-lib/aws-sqs";
import { Construct } from "constructs";
import { maximumTries, visibilityTimeoutMs } from "../../functions/feed/feedDelivery.ts";
import { maximumMessageBytes } from "../../functions/feed/queue.ts";
import { deadLetterQueue } from "../shared/deadLetterQueue.ts";

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
