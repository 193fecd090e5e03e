import { SqsEventSource } from "aws-cdk-lib/aws-lambda-event-sources";
import { Construct } from "constructs";
import { batchSize, consumerTimeoutMs, maximumConcurrency } from "../../functions/consumers/feedDelivery.ts";
import { type DataTable, reaches } from "./dataTable.ts";
import { deadLetterAlarm } from "./deadLetterQueue.ts";
import type { FeedQueue } from "./feedQueue.ts";
import { type Directories, serviceFunction } from "./serviceFunction.ts";

export interface FeedProps {
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
    });
    data.grant(consumer, ["PutItem", "UpdateItem"], reaches.records);
    feed.deadLetters.grantSendMessages(consumer);
    consumer.addEnvironment("DEAD_LETTER_QUEUE_URL", feed.deadLetters.queueUrl);
    consumer.live.addEventSource(
      new SqsEventSource(feed.queue, { batchSize, maxConcurrency: maximumConcurrency, reportBatchItemFailures: true }),
    );
  }
}
