import { PolicyStatement } from "aws-cdk-lib/aws-iam";
import { RecursiveLoop } from "aws-cdk-lib/aws-lambda";
import { SqsEventSource } from "aws-cdk-lib/aws-lambda-event-sources";
import { Construct } from "constructs";
import {
  batchSize,
  consumerTimeoutMs,
  dynamoDbTimeoutMs,
  maximumConcurrency,
} from "../../functions/feed/feedDelivery.ts";
import { deadLetterAlarm } from "../shared/deadLetterQueue.ts";
import { type Directories, serviceFunction } from "../shared/serviceFunction.ts";
import { type DataTable, reaches } from "../table/dataTable.ts";
import type { FeedQueue } from "./feedQueue.ts";

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
      // It sends the rest of a message to its own queue, which Lambda would otherwise stop as an endless loop.
      recursiveLoop: RecursiveLoop.ALLOW,
    });
    data.grant(consumer, ["GetItem", "PutItem", "UpdateItem"], reaches.records);
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
