import assert from "node:assert/strict";
import { globSync, readFileSync } from "node:fs";
import { expect, test } from "@jest/globals";
import { endpoints } from "../../functions/endpoints/index.ts";
import { resourcesOf, synthesise } from "../lib/support/synthesise.ts";

const pages = globSync("{README,docs/**/*}.md");

/** What the pages' inline code names, with the page. */
function codeIn(pattern: RegExp): { page: string; groups: string[] }[] {
  return pages.flatMap((page) =>
    [...readFileSync(page, "utf8").matchAll(/`([^`\n]+)`/g)].flatMap(([, code = ""]) =>
      [...code.matchAll(pattern)].map(([, ...groups]) => ({ page, groups: groups.map((group) => group ?? "") })),
    ),
  );
}

test("the queues and log groups that the pages name exist", async () => {
  const backupVaultArn = "arn:aws:backup:eu-central-1:444455556666:backup-vault:ticketing-copies";
  const { template } = await synthesise({ stage: "prod", backupVaultArn });
  const ids = ["AWS::SQS::Queue", "AWS::Logs::LogGroup"].flatMap((type) =>
    resourcesOf(template, type).map(([id]) => id.replace(/[0-9A-F]{8}$/, "")),
  );
  const named = codeIn(/\b((?!AccessLogs|Execution)[A-Z]\w*(?:DeadLetters|Logs)|\w*Failed[A-Z]\w*)(?=$|…)/g);
  assert.ok(named.length > 10);
  const wrong = named.filter(({ groups: [id = ""] }) => !ids.includes(id));
  expect(wrong).toEqual([]);
});

test("the requests that the pages name exist, with their parameters", () => {
  const named = codeIn(/\b(GET|POST|PATCH|DELETE) (\/(?:v1|admin)\/[^\s?`]*)(?:\?([^\s`]*))?/g);
  assert.ok(named.length > 30);
  const wrong = named.filter(({ groups }) => {
    const [method = "", path = "", query = ""] = groups;
    const shape = path.replace(/[.,…]+$/, "").replaceAll(/\{[^}]+\}|\b\d+\b|\b[A-Z]{2,}\b/g, "{id}");
    const found = endpoints.find((endpoint) => endpoint.method === method && endpoint.path === shape);
    const parameters = query.split("&").flatMap((parameter) => parameter.split("=")[0] || []);
    return !found || !parameters.every((name) => name in (found.query?.shape ?? {}));
  });
  expect(wrong).toEqual([]);
});
