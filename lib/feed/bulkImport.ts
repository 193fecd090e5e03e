import { Validations } from "aws-cdk-lib";
import { PolicyStatement } from "aws-cdk-lib/aws-iam";
import { RecursiveLoop } from "aws-cdk-lib/aws-lambda";
import { SqsEventSource } from "aws-cdk-lib/aws-lambda-event-sources";
import type { Bucket } from "aws-cdk-lib/aws-s3";
import type { Queue } from "aws-cdk-lib/aws-sqs";
import { Construct } from "constructs";
import { batchSize, consumerTimeoutMs, importPrefix, reportPrefix } from "../../functions/feed/bulkDelivery.ts";
import { dataStackOutput } from "../shared/dataStackOutput.ts";
import { deadLetterAlarm } from "../shared/deadLetterQueue.ts";
import { type Directories, serviceFunction } from "../shared/serviceFunction.ts";
import type { ImportBucket } from "./importBucket.ts";

/** Files split concurrently. Few, since one file already fills the feed's queue faster than the feed empties it. */
const maximumConcurrency = 2;

export interface BulkImportProps {
  files: ImportBucket;
  feed: Queue;
  directories: Directories;
}

/** The function that splits the import bucket's files into feed messages. */
export class BulkImport extends Construct {
  constructor(scope: Construct, id: string, { files, feed, directories }: BulkImportProps) {
    super(scope, id);
    const { bucket, imports } = files;
    deadLetterAlarm(this, files.deadLetters, {
      section: "bulk-import-dead-letters",
      meaning: "A file of records was not imported.",
    });
    const splitter = serviceFunction(this, "bulkImport", {
      directories,
      description: "Splits a file of records into feed messages",
      timeoutMs: consumerTimeoutMs,
      // It continues by sending messages to its own queue, which Lambda would otherwise stop as an endless loop.
      recursiveLoop: RecursiveLoop.ALLOW,
    });
    for (const [action, prefix] of [
      ["s3:GetObject", importPrefix],
      ["s3:GetObject", reportPrefix],
      ["s3:PutObject", reportPrefix],
    ] as const) {
      const resources = [bucket.arnForObjects(`${prefix}*`)];
      splitter.addToRolePolicy(new PolicyStatement({ actions: [action], resources }));
    }
    if (splitter.role) Validations.of(splitter.role).acknowledge(...anyObjectIn(bucket));
    // Without it, S3 returns 403 instead of 404 for a missing object.
    splitter.addToRolePolicy(new PolicyStatement({ actions: ["s3:ListBucket"], resources: [bucket.bucketArn] }));
    feed.grantSendMessages(splitter);
    imports.grantSendMessages(splitter);
    splitter.addEnvironment("FEED_QUEUE_URL", feed.queueUrl).addEnvironment("IMPORT_QUEUE_URL", imports.queueUrl);
    splitter.live.addEventSource(new SqsEventSource(imports, { batchSize, maxConcurrency: maximumConcurrency }));
  }
}

function anyObjectIn(bucket: Bucket) {
  const arn = dataStackOutput(bucket, "PublishOutputFnGetAttImportBucket64DA19A7Arn9B44F9D3");
  return [importPrefix, reportPrefix].map((prefix) => ({
    id: `AwsSolutions-IAM5[Resource::${arn}/${prefix}*]`,
    reason: "Senders choose the names of their files.",
  }));
}
