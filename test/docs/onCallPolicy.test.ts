import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "@jest/globals";

const statements: { Action: string | string[]; Resource: string | string[] }[] = JSON.parse(
  readFileSync("deploy/bootstrap/onCallPolicy.json", "utf8"),
).Statement;
const patterns = statements.flatMap(({ Action }) => Action);
const allows = (action: string) =>
  patterns.some((pattern) => new RegExp(`^${pattern.replaceAll("*", ".*")}$`, "i").test(action));

/** The pages that somebody on call follows alone. */
const pages = ["runbook", "commands"].map((name) => readFileSync(`docs/operators/${name}.md`, "utf8"));

test("on call may run every command of the AWS command line that the runbook and its commands need", () => {
  const commands = pages.flatMap((page) => [...page.matchAll(/\baws ([a-z0-9-]+) ([a-z0-9-]+)/g)]);
  assert.ok(commands.length > 20);
  const actions = commands.map(([, service, command = ""]) => `${service}:${command.replaceAll("-", "")}`);
  // The only command that is not named after its action.
  const named = actions.map((action) => (action === "lambda:invoke" ? "lambda:InvokeFunction" : action));
  assert.deepEqual(
    named.filter((action) => !allows(action)),
    [],
  );
});

test("on call has the rights that the pages name", () => {
  const lines = pages.flatMap((page) => page.match(/^.*\bRights?: .*$/gm) ?? []);
  assert.ok(lines.length >= 4);
  const rights = lines.flatMap((line) => {
    let service = "";
    return [...line.matchAll(/`(?:([a-z0-9-]+):)?([A-Z][A-Za-z]+)`/g)].map(([, named, action]) => {
      service = named ?? service;
      return `${service}:${action}`;
    });
  });
  assert.deepEqual(
    rights.filter((right) => !allows(right)),
    [],
  );
});

test("on call can neither read secrets, nor change rights, nor delete what has data", () => {
  for (const action of [
    "secretsmanager:GetSecretValue",
    "iam:PutRolePolicy",
    "iam:CreateRole",
    "kms:ScheduleKeyDeletion",
    "kms:Decrypt",
    "dynamodb:DeleteTable",
    "dynamodb:UpdateContinuousBackups",
    "s3:DeleteObject",
    "sqs:DeleteQueue",
    "sqs:PurgeQueue",
    "cloudformation:DeleteStack",
    "cognito-idp:AdminCreateUser",
    "lambda:UpdateFunctionCode",
  ])
    assert.ok(!allows(action), action);
  const writing = statements.filter(({ Action }) =>
    [Action].flat().some((action) => /:(Put|Update|Delete|Send)/.test(action)),
  );
  for (const { Action, Resource } of writing)
    assert.ok(Resource !== "*" || [Action].flat().includes("lambda:UpdateEventSourceMapping"), String(Action));
});
