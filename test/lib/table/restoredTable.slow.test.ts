import assert from "node:assert/strict";
import { describe, test } from "@jest/globals";
import {
  idIn,
  type Json,
  only,
  resourcesOf,
  statementsById,
  synthesise,
  type Template,
} from "../support/synthesise.ts";

const tableArn = "arn:aws:dynamodb:eu-west-1:123456789012:table/ticketing-prod-20260301020000";
const restoredTableStream = `${tableArn}/stream/2026-03-01T02:41:07.120`;
const own = await synthesise({ stage: "prod" });
const restored = await synthesise({ stage: "prod", restoredTableStream });
const [tableId = ""] = resourcesOf(own.template, "AWS::DynamoDB::GlobalTable")[0] ?? [];

const functionsOf = (template: Template) =>
  resourcesOf(template, "AWS::Lambda::Function").map(([, resource]) => resource);
const streamsOf = (template: Template): Json[] => [
  ...resourcesOf(template, "AWS::Lambda::EventSourceMapping").map(([, { Properties }]) => Properties.EventSourceArn),
  only(template, "AWS::Pipes::Pipe").Properties.Source,
];

test("a stage with a restored table keeps its own table unchanged, under the same id", () => {
  assert.deepEqual(restored.template.Resources[tableId], own.template.Resources[tableId]);
  assert.deepEqual(
    resourcesOf(restored.template, "AWS::DynamoDB::GlobalTable").map(([id]) => id),
    [tableId],
  );
});

test("all names and streams of such a stage refer to the restored table", () => {
  const { [tableId]: _, ...others } = restored.template.Resources;
  const withoutGrants = JSON.stringify([others, restored.template.Outputs], (name, value) =>
    // The data stack's outputs for the grants of the API stack.
    name === "PolicyDocument" || name.startsWith("PublishOutput") ? undefined : value,
  );
  assert.ok(!withoutGrants.includes(tableId));
  const tables = functionsOf(restored.template).flatMap(
    ({ Properties }) => Properties.Environment?.Variables.TABLE_NAME ?? [],
  );
  assert.deepEqual([...new Set(tables)], ["ticketing-prod-20260301020000"]);
  assert.equal(
    tables.length,
    functionsOf(own.template).filter(({ Properties }) => Properties.Environment?.Variables.TABLE_NAME).length,
  );
  assert.equal(restored.template.Outputs.TableName.Value, "ticketing-prod-20260301020000");
  assert.equal(streamsOf(restored.template).filter((stream) => stream === restoredTableStream).length, 2);
  assert.deepEqual(restored.findings, []);
});

// During the switch, versions with the earlier name still serve requests.
test("functions have the same rights on both tables", async () => {
  const rights = (template: Template, arn: string) =>
    statementsById(template).flatMap(([id, ofOne]) =>
      ofOne.flatMap(({ Action, Resource, Condition }) =>
        [Resource].flat().flatMap((one) => {
          const text = JSON.stringify(one);
          const isItem = text.includes(arn) && !text.includes("stream/") && !text.includes("StreamArn");
          return isItem ? [JSON.stringify([id, Action, Condition, text.match(/\/index\/\w+/)?.[0]])] : [];
        }),
      ),
    );
  const ofOwn = rights(own.template, `["${tableId}","Arn"]`);
  assert.ok(ofOwn.length > 50);
  assert.deepEqual(rights(restored.template, `["${tableId}","Arn"]`), ofOwn);
  assert.deepEqual(rights(restored.template, tableArn), ofOwn);

  const back = await synthesise({ stage: "prod", formerTableArn: tableArn });
  assert.deepEqual(rights(back.template, tableArn), ofOwn);
  assert.deepEqual(rights(back.template, `["${tableId}","Arn"]`), ofOwn);
  assert.deepEqual(back.template.Outputs.TableName, own.template.Outputs.TableName);
});

const backupVaultArn = "arn:aws:backup:eu-central-1:444455556666:backup-vault:ticketing-copies";
const { template } = await synthesise({ stage: "prod", backupVaultArn });
const [, vault] = resourcesOf(template, "AWS::Backup::BackupVault")[0] ?? assert.fail();
const selectionOf = (from: typeof template) => only(from, "AWS::Backup::BackupSelection").Properties.BackupSelection;
const roleId = idIn(selectionOf(template).IamRoleArn);

describe("the backup of the table", () => {
  test("is of the table in use, also of a restored one", async () => {
    const [tableId = ""] = resourcesOf(template, "AWS::DynamoDB::GlobalTable")[0] ?? [];
    assert.deepEqual(selectionOf(template).Resources, [{ "Fn::GetAtt": [tableId, "Arn"] }]);
    const tableArn = "arn:aws:dynamodb:eu-west-1:123456789012:table/ticketing-prod-20260301020000";
    const restoredTableStream = `${tableArn}/stream/2026-03-01T02:41:07.120`;
    const restored = await synthesise({ stage: "prod", backupVaultArn, restoredTableStream });
    assert.deepEqual(selectionOf(restored.template).Resources, [tableArn]);
    assert.deepEqual(restored.findings, []);
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
