import assert from "node:assert/strict";
import { describe, test } from "@jest/globals";
import { idIn, only, resourcesOf, synthesise } from "../support/synthesise.ts";

const backupVaultArn = "arn:aws:backup:eu-central-1:444455556666:backup-vault:ticketing-copies";
const { template, stacks, findings } = await synthesise({ stage: "prod", backupVaultArn });
const [vaultId = "", vault] = resourcesOf(template, "AWS::Backup::BackupVault")[0] ?? assert.fail();
const plan = only(template, "AWS::Backup::BackupPlan").Properties.BackupPlan;
const selectionOf = (from: typeof template) => only(from, "AWS::Backup::BackupSelection").Properties.BackupSelection;
const roleId = idIn(selectionOf(template).IamRoleArn);
const role = template.Resources[roleId];

test("without the settings, a stage has no backup", async () => {
  for (const stage of ["dev", "staging", "prod"]) {
    const { Resources } = (await synthesise({ stage })).template;
    const ids = Object.entries(Resources).map(([id, { Type }]) => `${Type} ${id}`);
    assert.deepEqual(
      ids.filter((id) => /^AWS::Backup::/.test(id)),
      [],
    );
  }
});

describe("the backup of the table", () => {
  test("is made daily, kept for 35 days, and copied to the other vault for 90", () => {
    const [rule, ...others] = plan.BackupPlanRule;
    assert.deepEqual(others, []);
    assert.equal(rule.ScheduleExpression, "cron(0 1 * * ? *)");
    assert.equal(idIn(rule.TargetBackupVault), vaultId);
    assert.deepEqual(rule.Lifecycle, { DeleteAfterDays: 35 });
    assert.deepEqual(rule.CopyActions, [
      { DestinationBackupVaultArn: backupVaultArn, Lifecycle: { DeleteAfterDays: 90 } },
    ]);
  });

  test("is of the table in use, also of a restored one", async () => {
    const [tableId = ""] = resourcesOf(template, "AWS::DynamoDB::GlobalTable")[0] ?? [];
    assert.deepEqual(selectionOf(template).Resources, [{ "Fn::GetAtt": [tableId, "Arn"] }]);
    const tableArn = "arn:aws:dynamodb:eu-west-1:123456789012:table/ticketing-prod-20260301020000";
    const restoredTableStream = `${tableArn}/stream/2026-03-01T02:41:07.120`;
    const restored = await synthesise({ stage: "prod", backupVaultArn, restoredTableStream });
    assert.deepEqual(selectionOf(restored.template).Resources, [tableArn]);
    assert.deepEqual(restored.findings, []);
  });

  test("has a role that only AWS Backup can assume, with AWS's policy for backups and no other right", () => {
    const [statement, ...others] = role.Properties.AssumeRolePolicyDocument.Statement;
    assert.deepEqual(others, []);
    assert.deepEqual(statement.Principal, { Service: "backup.amazonaws.com" });
    assert.equal(role.Properties.ManagedPolicyArns.length, 1);
    assert.match(JSON.stringify(role.Properties), /service-role\/AWSBackupServiceRolePolicyForBackup"/);
    assert.equal(role.Properties.Policies, undefined);
    const attached = resourcesOf(template, "AWS::IAM::Policy").filter(([, { Properties }]) =>
      JSON.stringify(Properties.Roles).includes(roleId),
    );
    assert.deepEqual(attached, []);
  });

  test("keeps the vault and the role that deletes expired backups, and neither blocks another creation", async () => {
    for (const stage of ["dev", "prod"]) {
      const { data } = (await synthesise({ stage, backupVaultArn })).stacks;
      for (const [, kept] of [
        ...resourcesOf(data, "AWS::Backup::BackupVault"),
        ...resourcesOf(data, "AWS::IAM::Role").filter(([id]) => id === roleId),
      ])
        assert.deepEqual([kept.DeletionPolicy, kept.UpdateReplacePolicy], ["RetainExceptOnCreate", "Retain"]);
    }
    assert.equal(role.Properties.RoleName, undefined);
    assert.deepEqual(vault.Properties.BackupVaultName, {
      "Fn::Join": ["", ["ticketing-prod-data-", { "Fn::GetAtt": [roleId, "RoleId"] }]],
    });
    // A role's id has 21 characters, and a vault's name up to 50.
    assert.ok("ticketing-staging-data-".length + 21 <= 50);
  });

  test("belongs to the data stack, and passes AWS Solutions checks", () => {
    assert.equal(resourcesOf(stacks.data, "AWS::Backup::BackupVault").length, 1);
    assert.ok(template.Outputs.BackupVaultName?.Value);
    assert.deepEqual(findings, []);
  });
});
