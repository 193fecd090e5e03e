import assert from "node:assert/strict";
import { execFile, execFileSync } from "node:child_process";
import { cpSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { before, test } from "node:test";
import { promisify } from "node:util";
import { hashApiKey } from "../../functions/auth/apiKeySecret.ts";
import { PersonPrincipal } from "../../functions/auth/personPrincipal.ts";
import { defaultClaims, signInEnvironment } from "../../functions/auth/signInSettings.ts";
import { findApiKeyHash } from "../../functions/data/repositories/apiKeyHashes.ts";
import { apiKeyRepository } from "../../functions/data/repositories/apiKeyRepository.ts";
import { openTable } from "../../functions/data/table/table.ts";
import { endpoints } from "../../functions/endpoints/index.ts";
import { Scope } from "../../functions/resources/scope.ts";
import { bundleFunctions } from "../../lib/bundleFunctions.ts";
import { functionEntryPoints } from "../../lib/functionEntryPoints.ts";
import { exampleBody } from "../support/exampleBody.ts";
import { clientId, startIdentityProvider } from "../support/identityProvider.ts";
import { someone } from "../support/someone.ts";
import { useTestTable } from "../support/testTable.ts";

let directories: Record<string, string>;

before(() => {
  directories = bundleFunctions(functionEntryPoints);
});

const sourceOf = (name: string) => readFileSync(join(directories[name] ?? "", "index.mjs"), "utf8");

/** Calls the handler of a bundle in a process of its own, as Lambda does. */
async function invoke(name: string, event: object) {
  const program = `
    const { handler } = await import(${JSON.stringify(join(directories[name] ?? "", "index.mjs"))});
    const answer = await handler(${JSON.stringify(event)}, { getRemainingTimeInMillis: () => 8000 });
    process.stdout.write("\\nANSWER" + JSON.stringify(answer ?? null));`;
  const { stdout } = await promisify(execFile)(process.execPath, ["--input-type=module", "-e", program]);
  return JSON.parse(stdout.split("\nANSWER")[1] ?? "");
}

test("every bundle runs by itself: the authorizer lets a key in, and each endpoint answers it", async () => {
  await useTestTable();
  const { key } = await apiKeyRepository(1, openTable()).create("Test", [...Scope.options], someone);
  const { context, policyDocument } = await invoke("apiKeyAuthorizer", {
    type: "TOKEN",
    authorizationToken: `Bearer ${key}`,
    methodArn: "arn:aws:execute-api:local:0:api/stage/GET/v1/events",
  });
  assert.equal(policyDocument.Statement[0].Effect, "Allow");
  assert.notEqual((await findApiKeyHash(openTable(), hashApiKey(key)))?.last_used, null);

  const person = PersonPrincipal.encode({ subject: "s", name: "Ada", superAdminOf: 1 });
  for (const endpoint of endpoints) {
    const { operationId, method, path, caller, status = 200 } = endpoint;
    const authorizer = caller.scheme === "apiKey" ? context : person;
    const answer = await invoke(operationId, {
      httpMethod: method,
      path,
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify(exampleBody(endpoint)),
      pathParameters: { id: "1" },
      requestContext: { authorizer, requestId: "request", path, domainName: "localhost" },
    });
    const isOfUnknownId = path.includes("{id}");
    assert.equal(answer.statusCode, isOfUnknownId ? 404 : status, operationId);
    assert.equal(answer.headers["X-Request-Id"], "request");
  }
});

test("every consumer runs by itself, on nothing", async () => {
  await useTestTable();
  assert.deepEqual(await invoke("summaries", { Records: [] }), { batchItemFailures: [] });
  assert.deepEqual(await invoke("feed", { Records: [] }), { batchItemFailures: [] });
  assert.equal(await invoke("bulkImport", { Records: [] }), null);
  assert.deepEqual(await invoke("outgoingEvents", []), []);
});

test("the super-admin authorizer runs by itself: it asks the identity provider, and lets a super-admin in", async () => {
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

test("a function is one file of at most 450 KB, or 650 KB where it has the client of S3", () => {
  for (const name of Object.keys(functionEntryPoints)) {
    assert.deepEqual(readdirSync(directories[name] ?? ""), ["index.mjs"]);
    assert.ok(sourceOf(name).length <= (name === "bulkImport" ? 650_000 : 450_000), name);
  }
});

test("a function that only reads has nothing of writes, of other endpoints, of the reference page or of a developer's credentials", () => {
  const writes = ["BatchWriteItem", "DeleteItem", "PutItem", "TransactWriteItems", "UpdateItem"];
  const others = [
    "securitySchemes",
    "scalar",
    "aws-cdk",
    "credential_process",
    "sso_session",
    "AssumeRoleWithWebIdentity",
  ];
  for (const { operationId } of endpoints.filter(({ caller }) => caller.scope === "read")) {
    const source = sourceOf(operationId);
    const operations = endpoints.map((endpoint) => endpoint.operationId).filter((other) => other !== operationId);
    const found = [
      ...[...writes, ...others].filter((text) => new RegExp(`\\b${text}\\b`).test(source)),
      // A repository's method may have an operation's name; an operation's declaration has it in quotes.
      ...operations.filter((operation) => source.includes(`"${operation}"`)),
    ];
    assert.deepEqual(found, [], operationId);
  }
  assert.match(sourceOf("apiKeyAuthorizer"), /\bUpdateItem\b/);
});

test("the same sources give the same bytes, again and in another directory", () => {
  const elsewhere = mkdtempSync(join(tmpdir(), "checkout-"));
  for (const part of ["functions", "lib", "package.json"]) cpSync(part, join(elsewhere, part), { recursive: true });
  symlinkSync(resolve("node_modules"), join(elsewhere, "node_modules"));
  const program = `
    import { readFileSync } from "node:fs";
    import { bundleFunctions } from "./lib/bundleFunctions.ts";
    const directories = bundleFunctions(${JSON.stringify(functionEntryPoints)});
    const contents = Object.entries(directories).map(([name, at]) => [name, readFileSync(at + "/index.mjs", "utf8")]);
    console.log(JSON.stringify({ directories, contents: Object.fromEntries(contents) }));`;
  const output = execFileSync(process.execPath, ["--input-type=module", "-e", program], {
    cwd: elsewhere,
    encoding: "utf8",
    maxBuffer: 100_000_000,
  });
  rmSync(elsewhere, { recursive: true });
  const other = JSON.parse(output);
  for (const name of Object.keys(functionEntryPoints)) assert.ok(other.contents[name] === sourceOf(name), name);
  assert.ok(!existsSync(other.directories.getKey), "what was made for a process is gone with it");
});
