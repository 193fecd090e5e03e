import { Duration, RemovalPolicy, Stack, Validations } from "aws-cdk-lib";
import { BackupPlan, BackupPlanRule, BackupResource, BackupVault } from "aws-cdk-lib/aws-backup";
import type { ITableV2 } from "aws-cdk-lib/aws-dynamodb";
import { Rule, Schedule } from "aws-cdk-lib/aws-events";
import { SqsQueue } from "aws-cdk-lib/aws-events-targets";
import { ManagedPolicy, Role, ServicePrincipal } from "aws-cdk-lib/aws-iam";
import type { Queue } from "aws-cdk-lib/aws-sqs";
import { Construct } from "constructs";
import { deadLetterAlarm, deadLetterQueue } from "../shared/deadLetterQueue.ts";
import { observability } from "../shared/serviceAlarm.ts";

/** As long as point-in-time recovery. A copy needs a backup in the account itself first. */
const keptFor = Duration.days(35);

/** A quarter, so that damage found at the next drill can still be undone. */
const copyKeptFor = Duration.days(90);

/** AWS's policy for the role of AWS Backup; it includes the copy to other vaults. */
const policy = "service-role/AWSBackupServiceRolePolicyForBackup";

interface TableBackupProps {
  table: ITableV2;
  /** The vault that gets a copy of each backup, normally of another account. */
  copyVaultArn: string;
}

/**
 * A daily backup of the table, with a copy in another vault. The vault and the role stay when the setting or the stack is removed: CloudFormation
 * cannot delete a vault that contains backups, and AWS Backup needs the role to delete expired ones
 * (https://docs.aws.amazon.com/aws-backup/latest/devguide/API_DeleteRecoveryPoint.html).
 */
export class TableBackup extends Construct {
  readonly vaultName: string;
  /** Gets an event for each backup or copy that failed, was aborted or did not begin in time. */
  readonly failed: Queue = deadLetterQueue(this, "Failed");

  constructor(scope: Construct, id: string, { table, copyVaultArn }: TableBackupProps) {
    super(scope, id);
    const { stackName } = Stack.of(this);
    const role = this.role();
    const vault = new BackupVault(this, "Vault", {
      // CloudFormation makes no name of its own. Each creation has a new role with a new id, so a retained vault does not block a new one.
      backupVaultName: `${stackName}-${role.roleId}`,
      removalPolicy: RemovalPolicy.RETAIN_ON_UPDATE_OR_DELETE,
    });
    this.vaultName = vault.backupVaultName;
    const plan = new BackupPlan(this, "Plan", {
      backupPlanName: stackName,
      backupPlanRules: [
        new BackupPlanRule({
          ruleName: "Daily",
          backupVault: vault,
          scheduleExpression: Schedule.cron({ hour: "1", minute: "0" }),
          deleteAfter: keptFor,
          copyActions: [
            {
              destinationBackupVault: BackupVault.fromBackupVaultArn(this, "Copies", copyVaultArn),
              deleteAfter: copyKeptFor,
            },
          ],
        }),
      ],
    });
    plan.addSelection("Table", {
      backupSelectionName: "Table",
      resources: [BackupResource.fromArn(table.tableArn)],
      role,
    });
    // https://docs.aws.amazon.com/aws-backup/latest/devguide/eventbridge.html
    new Rule(this, "Failures", {
      eventPattern: {
        source: ["aws.backup"],
        detailType: ["Backup Job State Change", "Copy Job State Change"],
        detail: { state: ["FAILED", "ABORTED", "EXPIRED"], resourceArn: [table.tableArn] },
      },
      targets: [new SqsQueue(this.failed)],
    });
  }

  /** Adds the alarm to the API stack, like all alarms. */
  addAlarm(apiStack: Construct): void {
    const meaning = "A backup of the table, or its copy in the other vault, failed.";
    deadLetterAlarm(observability(apiStack), "failed-backups", this.failed, meaning);
  }

  private role(): Role {
    const role = new Role(this, "Role", {
      assumedBy: new ServicePrincipal("backup.amazonaws.com"),
      managedPolicies: [ManagedPolicy.fromAwsManagedPolicyName(policy)],
    });
    role.applyRemovalPolicy(RemovalPolicy.RETAIN_ON_UPDATE_OR_DELETE);
    Validations.of(role).acknowledge({
      id: `AwsSolutions-IAM4[Policy::arn:<AWS::Partition>:iam::aws:policy/${policy}]`,
      reason: "AWS extends it with the rights that new features of AWS Backup need.",
    });
    return role;
  }
}
