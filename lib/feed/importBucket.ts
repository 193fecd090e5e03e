import { Duration, Validations } from "aws-cdk-lib";
import { Rule } from "aws-cdk-lib/aws-events";
import { SqsQueue } from "aws-cdk-lib/aws-events-targets";
import { type IPrincipal, PolicyStatement } from "aws-cdk-lib/aws-iam";
import { type Bucket, CfnBucket, ObjectOwnership } from "aws-cdk-lib/aws-s3";
import { Queue, QueueEncryption } from "aws-cdk-lib/aws-sqs";
import { Construct } from "constructs";
import {
  importPrefix,
  importSuffixes,
  maximumTries,
  reportPrefix,
  visibilityTimeoutMs,
} from "../../functions/feed/bulkDelivery.ts";
import type { Stage } from "../settings.ts";
import { deadLetterQueue } from "../shared/deadLetterQueue.ts";
import { serviceBucket } from "../shared/serviceBucket.ts";

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
    // Delivers an event again after a crash.
    this.imports = new Queue(this, "Imports", {
      encryption: QueueEncryption.SQS_MANAGED,
      enforceSSL: true,
      retentionPeriod: Duration.days(14),
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
      targets: [new SqsQueue(this.imports)],
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
