import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { describe, test } from "@jest/globals";
import { mintApiKey } from "../../../functions/keys/apiKeySecret.ts";
import { idIn, type Json, only, resourcesOf, statementsById, synthesise } from "../support/synthesise.ts";

const { template, findings } = await synthesise({ stage: "prod" });
const canary = only(template, "AWS::Synthetics::Canary").Properties;
const secrets = resourcesOf(template, "AWS::SecretsManager::Secret");
const [secretId = ""] = secrets.find(([id]) => id.startsWith("Probe")) ?? [];
const secret = template.Resources[secretId].Properties;

/** Runs the deployed program, with this machine's modules replaced by the SDK's part. */
async function run(environment: Record<string, string>, secrets: Record<string, string>): Promise<void> {
  class SecretsManager {
    async getSecretValue({ SecretId }: { SecretId: string }) {
      return { SecretString: secrets[SecretId] };
    }
  }
  const load = new Function("module", "require", "process", canary.Code.Script);
  const module: Json = {};
  load(module, () => ({ SecretsManager }), { env: environment });
  const [, exported] = canary.Code.Handler.split(".");
  await module.exports[exported]();
}

describe("the probe", () => {
  test("runs every five minutes against the public address, with its own secret", () => {
    assert.equal(canary.Schedule.Expression, "rate(5 minutes)");
    assert.equal(canary.StartCanaryAfterCreation, true);
    assert.deepEqual(canary.RunConfig.EnvironmentVariables, {
      BASE_URL: template.Outputs.BaseUrl?.Value,
      KEY_SECRET: { Ref: secretId },
    });
  });

  test("runs the program in its deployed form", async () => {
    const { key, prefix } = mintApiKey();
    const server = createServer(({ headers }, response) =>
      response
        .writeHead(headers.authorization === `Bearer ${key}` ? 200 : 401)
        .end(JSON.stringify({ name: "Probe", prefix, scopes: ["read"], organisation_id: 1 })),
    ).listen(0, "127.0.0.1");
    await once(server, "listening");
    // The listening server has an address with a port.
    const { port } = server.address() as AddressInfo;
    const environment = { BASE_URL: `http://127.0.0.1:${port}`, KEY_SECRET: "secret" };
    try {
      await run(environment, { secret: `${key}\n` });
      await assert.rejects(run(environment, { secret: mintApiKey().key }), /401/);
      await assert.rejects(run(environment, {}), /The secret does not contain an API key/);
    } finally {
      server.closeAllConnections();
      server.close();
    }
  });
});

describe("the probe's resources", () => {
  test("include an empty secret whose name cannot block a second creation", () => {
    assert.ok(!("SecretString" in secret || "GenerateSecretString" in secret));
    assert.match(JSON.stringify(secret.Name), /"ticketing-prod-probe-key-".*"Ref":"AWS::StackId"/);
  });

  test("let it read only its own secret, and write only its own artifacts, metrics and logs", () => {
    const roleId = idIn(canary.ExecutionRoleArn);
    const [[, statements] = ["", []]] = statementsById(template).filter(([id]) => id === roleId);
    const resourceOf = (action: string) =>
      JSON.stringify(statements.find(({ Action }: Json) => [Action].flat().includes(action)).Resource);
    assert.equal(resourceOf("secretsmanager:GetSecretValue"), JSON.stringify({ Ref: secretId }));
    assert.match(resourceOf("logs:PutLogEvents"), /log-group:\/aws\/lambda\/cwsyn-ticketing-prod-probe-\*/);
    assert.ok(!JSON.stringify(statements).includes("logs:CreateLogGroup"));
    assert.deepEqual(findings, []);
  });

  test("keep artifacts for 30 days, and are deleted with the stack", () => {
    const { DeletionPolicy, Properties } =
      template.Resources[/"Ref":"(ProbeBucket\w+)"/.exec(JSON.stringify(canary.ArtifactS3Location))?.[1] ?? ""];
    assert.equal(DeletionPolicy, "Delete");
    assert.deepEqual(Properties.LifecycleConfiguration.Rules, [{ ExpirationInDays: 30, Status: "Enabled" }]);
    assert.equal(Properties.PublicAccessBlockConfiguration.BlockPublicAcls, true);
  });

  test("exist in dev only if the settings ask for it", async () => {
    for (const [settings, count] of [
      [{ stage: "dev" }, 0],
      [{ stage: "dev", webAcl: "on", probe: "on" }, 1],
      [{ stage: "prod", probe: "off" }, 0],
    ] as const)
      assert.equal(resourcesOf((await synthesise(settings)).template, "AWS::Synthetics::Canary").length, count);
  });
});
