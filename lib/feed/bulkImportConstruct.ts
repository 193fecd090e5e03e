import { Duration, Validations } from "aws-cdk-lib";
import { Rule } from "aws-cdk-lib/aws-events";
import { SqsQueue } from "aws-cdk-lib/aws-events-targets";
import { type IPrincipal, PolicyStatement } from "aws-cdk-lib/aws-iam";
import { RecursiveLoop } from "aws-cdk-lib/aws-lambda";
import { SqsEventSource } from "aws-cdk-lib/aws-lambda-event-sources";
import { type Bucket, CfnBucket, ObjectOwnership } from "aws-cdk-lib/aws-s3";
import type { Queue } from "aws-cdk-lib/aws-sqs";
import { Construct } from "constructs";
import {
  batchSize,
  consumerTimeoutMs,
  importPrefix,
  importSuffixes,
  maximumTries,
  reportPrefix,
  visibilityTimeoutMs,
} from "../../functions/feed/importLimits.ts";
import type { Stage } from "../settings.ts";
import { deadLetterAlarm, deadLetterQueue, serviceQueue } from "../shared/deadLetterQueue.ts";
import { maximum } from "../shared/metrics.ts";
import { dataStackFinding } from "../shared/names.ts";
import { observability, serviceAlarm } from "../shared/serviceAlarm.ts";
import { serviceBucket } from "../shared/serviceBucket.ts";
import { type Directories, serviceFunction } from "../shared/serviceFunction.ts";

const importsAreKept = Duration.days(30);
const reportsAreKept = Duration.days(365);

/** Receives files of records: a bucket, and a queue that gets an event for each new file. */
export class ImportBucket extends Construct {
  readonly bucket: Bucket;
  readonly imports: Queue;
  readonly deadLetters = deadLetterQueue(this, "DeadLetters");

  /** @param senders principals outside the account's own policies that may upload files. */
  constructor(scope: Construct, id: string, stage: Stage, senders: readonly IPrincipal[]) {
    super(scope, id);
    this.bucket = this.makeBucket(stage, senders);
    // SQS redelivers an event after a crash.
    this.imports = serviceQueue(this, "Imports", {
      visibilityTimeout: Duration.millis(visibilityTimeoutMs),
      deadLetterQueue: { queue: this.deadLetters, maxReceiveCount: maximumTries },
    });
    new Rule(this, "ObjectCreated", {
      description: "A file of records arrived in the import bucket",
      eventPattern: {
        source: ["aws.s3"],
        detailType: ["Object Created"],
        detail: {
          bucket: { name: [this.bucket.bucketName] },
          object: { key: importSuffixes.map((suffix) => ({ wildcard: `${importPrefix}*${suffix}` })) },
        },
      },
      // An event that SQS refuses for a day is kept, and sent back like any other.
      targets: [new SqsQueue(this.imports, { deadLetterQueue: this.deadLetters })],
    });
  }

  private makeBucket(stage: Stage, senders: readonly IPrincipal[]): Bucket {
    const bucket = serviceBucket(this, stage === "dev", {
      // This account can read files that another account uploaded.
      objectOwnership: ObjectOwnership.BUCKET_OWNER_ENFORCED,
      lifecycleRules: [
        { prefix: importPrefix, expiration: importsAreKept, abortIncompleteMultipartUploadAfter: Duration.days(1) },
        { prefix: reportPrefix, expiration: reportsAreKept },
      ],
    });
    announceObjects(bucket);
    const mayDo = (action: string, prefix: string) =>
      new PolicyStatement({
        principals: [...senders],
        actions: [action],
        resources: [bucket.arnForObjects(`${prefix}*`)],
      });
    if (senders.length > 0) {
      bucket.addToResourcePolicy(mayDo("s3:PutObject", importPrefix));
      bucket.addToResourcePolicy(mayDo("s3:GetObject", reportPrefix));
    }
    Validations.of(bucket).acknowledge({
      id: "AwsSolutions-S1",
      reason: "Access is limited to named principals; CloudTrail's data events can record it.",
    });
    return bucket;
  }
}

/** Makes S3 send events of new objects to EventBridge. The construct's own option would add a custom resource function to set this. */
function announceObjects(bucket: Bucket): void {
  const { defaultChild } = bucket.node;
  if (!CfnBucket.isCfnBucket(defaultChild)) throw new Error("The bucket has no resource of its own.");
  defaultChild.notificationConfiguration = { eventBridgeConfiguration: { eventBridgeEnabled: true } };
}

/** Files split concurrently. Few, since one file already fills the feed's queue faster than the feed empties it. */
const maximumConcurrency = 2;

interface BulkImportProps {
  files: ImportBucket;
  feed: Queue;
  directories: Directories;
}

export class BulkImport extends Construct {
  constructor(scope: Construct, id: string, { files, feed, directories }: BulkImportProps) {
    super(scope, id);
    const { bucket, imports } = files;
    deadLetterAlarm(this, "bulk-import-dead-letters", files.deadLetters, "A file of records was not imported.");
    serviceAlarm(observability(this), "import-age", {
      meaning: "A file of records has waited for more than an hour.",
      metric: imports.metricApproximateAgeOfOldestMessage(maximum),
      // After a crash, the second try begins when the message is 30 minutes old, and takes up to 15.
      above: 60 * 60,
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
  return [importPrefix, reportPrefix].map((prefix) => ({
    id: dataStackFinding(bucket, "importBucket", `/${prefix}*`),
    reason: "Senders choose the names of their files.",
  }));
}
