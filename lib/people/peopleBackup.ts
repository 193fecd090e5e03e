import { Aws, Duration, Validations } from "aws-cdk-lib";
import { Rule, Schedule } from "aws-cdk-lib/aws-events";
import { LambdaFunction } from "aws-cdk-lib/aws-events-targets";
import { PolicyStatement } from "aws-cdk-lib/aws-iam";
import { SqsDestination } from "aws-cdk-lib/aws-lambda-destinations";
import type { Queue } from "aws-cdk-lib/aws-sqs";
import { Construct } from "constructs";
import { backupTimeoutMs, peoplePrefix } from "../../functions/people/peopleBackupDelivery.ts";
import { deadLetterAlarm } from "../shared/deadLetterQueue.ts";
import { type Directories, serviceFunction } from "../shared/serviceFunction.ts";
import type { People } from "./people.ts";

export interface PeopleBackupProps {
  people: People;
  superAdminGroup: string;
  /** The bucket's name, normally of another account. */
  bucketName: string;
  /** Receives the days whose backup failed. */
  failedBackups: Queue;
  directories: Directories;
}

/** Writes the people of the user pool to a bucket once a day, because AWS Backup does not support user pools. */
export class PeopleBackup extends Construct {
  constructor(scope: Construct, id: string, props: PeopleBackupProps) {
    super(scope, id);
    const { people, superAdminGroup, bucketName, failedBackups, directories } = props;
    deadLetterAlarm(this, failedBackups, {
      section: "people-backup",
      meaning: "The people of the user pool were not backed up.",
    });
    const backup = serviceFunction(this, "peopleBackup", {
      directories,
      description: "Writes the people of the user pool to the backup bucket",
      timeoutMs: backupTimeoutMs,
    });
    const objects = `${peoplePrefix}*`;
    for (const [actions, resource] of [
      [["cognito-idp:ListUsers", "cognito-idp:ListUsersInGroup"], people.pool.userPoolArn],
      [["s3:PutObject"], `arn:${Aws.PARTITION}:s3:::${bucketName}/${objects}`],
    ] as const) {
      backup.addToRolePolicy(new PolicyStatement({ actions: [...actions], resources: [resource] }));
    }
    if (backup.role)
      Validations.of(backup.role).acknowledge({
        id: `AwsSolutions-IAM5[Resource::arn:<AWS::Partition>:s3:::${bucketName}/${objects}]`,
        reason: "Each day has its own object.",
      });
    backup
      .addEnvironment("USER_POOL_ID", people.pool.userPoolId)
      .addEnvironment("SUPER_ADMIN_GROUP", superAdminGroup)
      .addEnvironment("BACKUP_BUCKET", bucketName);
    backup.live.configureAsyncInvoke({
      retryAttempts: 2,
      maxEventAge: Duration.hours(6),
      onFailure: new SqsDestination(failedBackups),
    });
    new Rule(this, "Daily", {
      description: "Starts the backup of the user pool",
      schedule: Schedule.cron({ hour: "1", minute: "30" }),
      targets: [new LambdaFunction(backup.live)],
    });
  }
}
