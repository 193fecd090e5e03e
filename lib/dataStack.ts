import { CfnOutput, RemovalPolicies, RemovalPolicy, Stack } from "aws-cdk-lib";
import { EventBus } from "aws-cdk-lib/aws-events";
import type { CfnSecret } from "aws-cdk-lib/aws-secretsmanager";
import type { Construct } from "constructs";
import { ImportBucket } from "./feed/bulkImportConstruct.ts";
import { FeedQueue, principalsOf } from "./feed/feedConstruct.ts";
import { AlarmTopic } from "./observability/alarmTopic.ts";
import { People } from "./people/people.ts";
import { probeKey } from "./probe/probeConstruct.ts";
import { failedOutputs, importQueueOutput, isOn, type Settings } from "./settings.ts";
import { deadLetterQueue } from "./shared/deadLetterQueue.ts";
import { DataTable } from "./table/dataTable.ts";
import { TableBackup } from "./table/tableBackup.ts";
import { WebhookKey, wakeUpQueue } from "./webhooks/webhooksConstruct.ts";

/** A stage's data, and everything whose address other systems know. The API stack can be deleted and created again without it. */
export class DataStack extends Stack {
  readonly data: DataTable;
  /** Undefined if the settings name another identity provider. */
  readonly people: People | undefined;
  readonly feed: FeedQueue;
  readonly files: ImportBucket;
  readonly bus: EventBus;
  readonly failedStreamRecords = deadLetterQueue(this, "FailedTableStream");
  readonly failedEvents = deadLetterQueue(this, "FailedEvents");
  readonly failedUsage = deadLetterQueue(this, "FailedUsage");
  readonly webhookKey: WebhookKey;
  readonly webhookWakeUps = wakeUpQueue(this, "WebhookWakeUps");
  readonly alarms: AlarmTopic;
  /** Undefined without the probe. In this stack, because a person fills it. */
  readonly probeKey: CfnSecret | undefined;
  /** Undefined without a vault for copies. */
  readonly backup: TableBackup | undefined;

  constructor(scope: Construct, settings: Settings) {
    const { stage, account, region } = settings;
    super(scope, `ticketing-${stage}-data`, {
      description: `Data of the Ticketing API, stage ${stage}`,
      env: { account, region },
      terminationProtection: stage !== "dev",
    });
    const senders = principalsOf(settings.feedSenders);
    this.data = new DataTable(this, "Data", settings);
    this.people = settings.signInIssuer === undefined ? new People(this, "People", settings) : undefined;
    this.feed = new FeedQueue(this, "Feed", senders);
    this.files = new ImportBucket(this, "Import", stage, senders);
    this.bus = new EventBus(this, "Bus", { eventBusName: `ticketing-${stage}` });
    this.webhookKey = new WebhookKey(this, "Webhooks", stage);
    this.alarms = new AlarmTopic(this, "Alarms", settings);
    this.probeKey = isOn(settings, "probe") ? probeKey(this) : undefined;
    const { backupVaultArn } = settings;
    this.backup =
      backupVaultArn === undefined
        ? undefined
        : new TableBackup(this, "Backup", { table: this.data.table, copyVaultArn: backupVaultArn });
    if (stage !== "dev") {
      RemovalPolicies.of(this).apply(RemovalPolicy.RETAIN_ON_UPDATE_OR_DELETE, {
        applyToResourceTypes: ["AWS::SQS::Queue"],
      });
    }
    new CfnOutput(this, "TableName", { value: this.data.table.tableName });
    if (this.people) new CfnOutput(this, "UserPoolId", { value: this.people.pool.userPoolId });
    if (this.backup) new CfnOutput(this, "BackupVaultName", { value: this.backup.vaultName });
    new CfnOutput(this, "FeedQueueUrl", { value: this.feed.queue.queueUrl });
    new CfnOutput(this, importQueueOutput, { value: this.files.imports.queueUrl });
    new CfnOutput(this, failedOutputs["table-stream"], { value: this.failedStreamRecords.queueUrl });
    new CfnOutput(this, failedOutputs.events, { value: this.failedEvents.queueUrl });
    new CfnOutput(this, failedOutputs.usage, { value: this.failedUsage.queueUrl });
    if (this.backup) new CfnOutput(this, failedOutputs.backups, { value: this.backup.failed.queueUrl });
    new CfnOutput(this, "ImportBucketName", { value: this.files.bucket.bucketName });
    new CfnOutput(this, "AlarmTopicArn", { value: this.alarms.topic.topicArn });
    new CfnOutput(this, "EventBusName", { value: this.bus.eventBusName });
  }
}
