import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { cpSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { beforeAll, test } from "@jest/globals";
import { findApiKeyHash } from "../../functions/keys/apiKeyHashes.ts";
import { apiKeyRepository } from "../../functions/keys/apiKeyRepository.ts";
import { hashApiKey } from "../../functions/keys/apiKeySecret.ts";
import { mcp } from "../../functions/mcp/mcp.ts";
import { routes } from "../../functions/mcp/routes.ts";
import { tools } from "../../functions/mcp/tools.ts";
import { PersonPrincipal } from "../../functions/people/personPrincipal.ts";
import { defaultClaims, signInEnvironment } from "../../functions/people/signInSettings.ts";
import { resources } from "../../functions/resources/index.ts";
import { Scope } from "../../functions/resources/scope.ts";
import { openTable } from "../../functions/table/table.ts";
import { bundleFunctions, functionEntryPoints } from "../../lib/bundleFunctions.ts";
import { someone } from "../support/data/records.ts";
import { useTestTable } from "../support/data/testTable.ts";
import { requiredQueries } from "../support/http/examples.ts";
import { clientId, startIdentityProvider } from "../support/http/identityProvider.ts";
import { exampleBody } from "../support/http/send.ts";
import { temporaryDirectory } from "../support/temporaryDirectory.ts";

let directories: Record<string, string>;

beforeAll(() => {
  directories = bundleFunctions(functionEntryPoints);
});

const sourceOf = (name: string) => readFileSync(join(directories[name] ?? "", "index.js"), "utf8");

/** Calls the handlers of bundles, with an event each, in a process without any other code, and returns what they return. */
async function invokeAll(calls: { name: string; event: object }[]) {
  const located = calls.map(({ name, event }) => ({ event, file: join(directories[name] ?? "", "index.js") }));
  const program = `
    const answers = [];
    for (const { file, event } of ${JSON.stringify(located)}) {
      const { handler } = await import(file);
      answers.push((await handler(event, { getRemainingTimeInMillis: () => 8000 })) ?? null);
    }
    process.stdout.write("\\nANSWERS" + JSON.stringify(answers));`;
  const { stdout } = await promisify(execFile)(process.execPath, ["--input-type=module", "-e", program], {
    env: process.env,
  });
  return JSON.parse(stdout.split("\nANSWERS")[1] ?? "");
}

async function invoke(name: string, event: object) {
  const [answer] = await invokeAll([{ name, event }]);
  return answer;
}

test("a read that cannot expand loads its own resource's schema alone", () => {
  const schemas = Object.values(resources).map(({ type, schema }) => ({ type, text: `id:"${schema.meta()?.id}"` }));
  const reads = routes.flatMap(({ operationId, query, tool }) => {
    const resource = tool?.resource;
    return typeof resource === "object" && !query?.shape.expand ? [{ operationId, type: resource.type }] : [];
  });
  assert.ok(reads.some(({ operationId }) => operationId === "getEvent"));
  for (const { operationId, type } of reads) {
    const loaded = schemas.filter(({ text }) => sourceOf(operationId).includes(text));
    assert.deepEqual(
      loaded.map((one) => one.type),
      [type],
      operationId,
    );
  }
});

test("every bundle runs by itself: the authorizer accepts a key, and each endpoint responds to it", async () => {
  await useTestTable();
  process.env.WEBHOOK_LOCAL_KEY = "test";
  const { key } = await apiKeyRepository(1, openTable()).create("Test", [...Scope.options], someone);
  const { context, policyDocument } = await invoke("apiKeyAuthorizer", {
    type: "TOKEN",
    authorizationToken: `Bearer ${key}`,
    methodArn: "arn:aws:execute-api:local:0:api/stage/GET/v1/events",
  });
  assert.equal(policyDocument.Statement[0].Effect, "Allow");
  assert.notEqual((await findApiKeyHash(openTable(), hashApiKey(key)))?.last_used, null);

  const person = PersonPrincipal.encode({ subject: "s", name: "Ada", superAdminOf: 1 });
  const answers = await invokeAll(
    routes.map((endpoint) => ({
      name: endpoint.operationId,
      event: {
        httpMethod: endpoint.method,
        path: endpoint.path,
        headers: { "Content-Type": "application/json" },
        body: JSON.stringify(exampleBody(endpoint)),
        pathParameters: { id: "1" },
        multiValueQueryStringParameters: Object.fromEntries(
          Object.entries(requiredQueries[endpoint.operationId] ?? {}).map(([name, value]) => [name, [value]]),
        ),
        requestContext: {
          authorizer: endpoint.caller.scheme === "apiKey" ? context : person,
          requestId: "request",
          path: endpoint.path,
          domainName: "localhost",
        },
      },
    })),
  );
  for (const [index, { operationId, path, status = 200 }] of routes.entries()) {
    assert.equal(answers[index].statusCode, path.includes("{id}") ? 404 : status, operationId);
    assert.equal(answers[index].headers["X-Request-Id"], "request");
  }
});

test("every consumer runs by itself with an empty event", async () => {
  await useTestTable();
  const none = { Records: [] };
  const events = { tableStream: none, feed: none, bulkImport: none, outgoingEvents: [] };
  const answers = await invokeAll(Object.entries(events).map(([name, event]) => ({ name, event })));
  assert.deepEqual(answers, [{ batchItemFailures: [] }, { batchItemFailures: [] }, null, []]);
});

test("the super-admin authorizer runs by itself: it asks the identity provider and accepts a super-admin", async () => {
  const provider = await startIdentityProvider();
  try {
    Object.assign(process.env, signInEnvironment({ issuer: provider.issuer, clientId, ...defaultClaims }));
    const { context, policyDocument } = await invoke("superAdminAuthorizer", {
      type: "TOKEN",
      authorizationToken: `Bearer ${await provider.sign(provider.claims())}`,
      methodArn: "arn:aws:execute-api:local:0:api/stage/GET/admin/api-keys",
    });
    assert.equal(policyDocument.Statement[0].Effect, "Allow");
    assert.equal(context.superAdminOf, "1842");
  } finally {
    provider.stop();
  }
});

test("a request that only reads needs no client", async () => {
  await useTestTable();
  const { getEvent = "" } = directories;
  const without = temporaryDirectory();
  for (const file of ["index.js", "package.json"]) cpSync(join(getEvent, file), join(without, file));
  directories = { ...directories, without };
  const authorizer = { organisationId: "1", keyId: "k", keyName: "k", keyPrefix: "k", scopes: "read" };
  const requestContext = { authorizer, requestId: "request", path: "/v1/events/{id}", domainName: "localhost" };
  const event = { httpMethod: "GET", path: "/v1/events/1", headers: {}, pathParameters: { id: "1" }, requestContext };
  const { statusCode } = await invoke("without", event);
  assert.equal(statusCode, 404);
});

test("the bundle of a function that only reads has only the code that it needs", () => {
  const readOperations = [mcp, ...Object.values(tools).flatMap(({ operations }) => Object.values(operations))].map(
    ({ operationId }) => operationId,
  );
  const writes = ["BatchWriteItem", "DeleteItem", "PutItem", "TransactWriteItems", "UpdateItem"];
  const others = [
    "securitySchemes",
    "marked",
    "aws-cdk",
    "credential_process",
    "sso_session",
    "AssumeRoleWithWebIdentity",
  ];
  for (const { operationId } of routes.filter(({ caller }) => caller.scope === "read")) {
    const source = sourceOf(operationId);
    const called = operationId === mcp.operationId ? readOperations : [operationId];
    const operations = routes.map((endpoint) => endpoint.operationId).filter((other) => !called.includes(other));
    const found = [
      ...[...writes, ...others].filter((text) => new RegExp(`\\b${text}\\b`).test(source)),
      // Only an operation's declaration has the name in quotes; a repository's method may have the same name.
      ...operations.filter((operation) => source.includes(`"${operation}"`)),
    ];
    assert.deepEqual(found, [], operationId);
  }
  assert.match(sourceOf("apiKeyAuthorizer"), /\bUpdateItem\b/);
});
