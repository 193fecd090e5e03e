import assert from "node:assert/strict";
import { describe, test } from "@jest/globals";
import { idIn, only, resourcesOf, synthesise, type Template } from "../support/synthesise.ts";

const tableStreamArn =
  "arn:aws:dynamodb:eu-west-1:123456789012:table/ticketing-prod-data-Table/stream/2026-03-01T02:41:07.120";
const own = await synthesise({ stage: "prod" });
const lost = await synthesise({ stage: "prod", tableStreamArn });

const sourcesOf = (template: Template) => [
  ...resourcesOf(template, "AWS::Lambda::EventSourceMapping").map(([, { Properties }]) => Properties.EventSourceArn),
  only(template, "AWS::Pipes::Pipe").Properties.Source,
];

test("the consumers of a lost and restored table read its new stream, and nothing else changes", () => {
  assert.equal(sourcesOf(lost.template).filter((source) => source === tableStreamArn).length, 2);
  assert.ok(!sourcesOf(own.template).includes(tableStreamArn));
  const others = ({ Resources }: Template) =>
    Object.values(Resources).filter(({ Type }) => /^AWS::(DynamoDB|Lambda::Function|SQS)/.test(Type));
  assert.deepEqual(others(lost.template).length, others(own.template).length);
  const [table] = resourcesOf(own.template, "AWS::DynamoDB::GlobalTable");
  assert.deepEqual(resourcesOf(lost.template, "AWS::DynamoDB::GlobalTable"), [table]);
  assert.deepEqual(lost.findings, []);
});

const backupVaultArn = "arn:aws:backup:eu-central-1:444455556666:backup-vault:ticketing-copies";
const { template } = await synthesise({ stage: "prod", backupVaultArn });
const [, vault] = resourcesOf(template, "AWS::Backup::BackupVault")[0] ?? assert.fail();
const selectionOf = (from: typeof template) => only(from, "AWS::Backup::BackupSelection").Properties.BackupSelection;
const roleId = idIn(selectionOf(template).IamRoleArn);

describe("the backup of the table", () => {
  test("is of the table", () => {
    const [tableId = ""] = resourcesOf(template, "AWS::DynamoDB::GlobalTable")[0] ?? [];
    assert.deepEqual(selectionOf(template).Resources, [{ "Fn::GetAtt": [tableId, "Arn"] }]);
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
    // A creation has a new role with a new id, so a vault that is left does not block it.
    assert.deepEqual(vault.Properties.BackupVaultName, {
      "Fn::Join": ["", ["ticketing-prod-data-", { "Fn::GetAtt": [roleId, "RoleId"] }]],
    });
  });
});
