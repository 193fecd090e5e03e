import assert from "node:assert/strict";
import { EventEmitter, once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { describe, test } from "@jest/globals";
import { mintApiKey } from "../../../functions/keys/apiKeySecret.ts";
import { alarmsOf } from "../support/alarms.ts";
import { idIn, type Json, only, resourcesOf, statementsById, synthesise } from "../support/synthesise.ts";

const { template, findings } = await synthesise({ stage: "prod" });
const canary = only(template, "AWS::Synthetics::Canary").Properties;
const secrets = resourcesOf(template, "AWS::SecretsManager::Secret");
const [secretId = ""] = secrets.find(([id]) => id.startsWith("Probe")) ?? [];
const secret = template.Resources[secretId].Properties;

const validForDays = 40;

/** A connection by TLS to a server whose certificate is valid for {@link validForDays}. */
function connect(): EventEmitter {
  const valid_to = new Date(Date.now() + validForDays * 86_400_000).toUTCString();
  const socket = Object.assign(new EventEmitter(), { getPeerCertificate: () => ({ valid_to }), destroy() {} });
  setImmediate(() => socket.emit("secureConnect"));
  return socket;
}

/**
 * Runs the deployed program, with this machine's modules replaced by the SDK's parts and a connection.
 * @returns what it sent to CloudWatch.
 */
async function run(environment: Record<string, string>, secrets: Record<string, string | undefined>): Promise<Json> {
  class SecretsManager {
    async getSecretValue({ SecretId }: { SecretId: string }) {
      const SecretString = secrets[SecretId];
      if (SecretString === undefined) throw Object.assign(new Error(), { name: "ResourceNotFoundException" });
      return { SecretString };
    }
  }
  let sent: Json;
  class CloudWatch {
    async putMetricData(input: Json) {
      sent = input;
    }
  }
  const load = new Function("module", "require", "process", canary.Code.Script);
  const module: Json = {};
  load(module, () => ({ SecretsManager, CloudWatch, connect, once }), { env: environment });
  const [, exported] = canary.Code.Handler.split(".");
  await module.exports[exported]();
  return sent;
}

/** The metric of the certificate's alarm. */
const [{ MetricStat }] = alarmsOf(template)
  .get("certificate-expiry")
  .Metrics.filter((metric: Json) => metric.MetricStat);
const { MetricName, Dimensions } = MetricStat.Metric;
const watched = { MetricName, Dimensions };
/** That of the alarm for a missing key. */
const ofMissingKey = alarmsOf(template).get("probe-key");
const keyMissing = { MetricName: ofMissingKey.MetricName, Dimensions: ofMissingKey.Dimensions };

describe("the probe", () => {
  test("runs every five minutes against the public address, with its own secret", () => {
    assert.equal(canary.Schedule.Expression, "rate(5 minutes)");
    assert.equal(canary.StartCanaryAfterCreation, true);
    assert.ok(canary.RunConfig.TimeoutInSeconds <= 5 * 60);
    assert.deepEqual(canary.RunConfig.EnvironmentVariables, {
      BASE_URL: template.Outputs.BaseUrl?.Value,
      KEY_SECRET: { Ref: secretId },
      CANARY_NAME: canary.Name,
    });
  });

  test("runs the program in its deployed form", async () => {
    const { key, prefix } = mintApiKey();
    const server = createServer(({ url = "", headers }, response) => {
      const ofKey = { name: "Probe", prefix, scopes: ["read"], organisation_id: 1 };
      const isKnown = headers.authorization === `Bearer ${key}`;
      const body = isKnown ? { ...ofKey, data: [], pagination: {} } : { code: "unauthorized" };
      if (url === "/developer") response.end("<html>");
      else response.writeHead(isKnown ? 200 : 401).end(JSON.stringify(body));
    }).listen(0, "127.0.0.1");
    await once(server, "listening");
    // The listening server has an address with a port.
    const { port } = server.address() as AddressInfo;
    const environment = { BASE_URL: `http://127.0.0.1:${port}`, KEY_SECRET: "secret", CANARY_NAME: canary.Name };
    try {
      const { Namespace, MetricData } = await run(environment, { secret: `${key}\n` });
      const [{ Value, ...metric }, missing] = MetricData;
      assert.deepEqual([Namespace, metric], ["CloudWatchSynthetics", watched]);
      assert.deepEqual(missing, { ...keyMissing, Value: 0 });
      assert.ok(Math.abs(Value - validForDays) < 0.01);
      await assert.rejects(run(environment, { secret: mintApiKey().key }), /401/);
      const unfilled = await run(environment, {});
      assert.deepEqual(unfilled.MetricData[1], { ...keyMissing, Value: 1 });
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
    const statementOf = (action: string) => statements.find(({ Action }: Json) => [Action].flat().includes(action));
    const resourceOf = (action: string) => JSON.stringify(statementOf(action).Resource);
    assert.equal(resourceOf("secretsmanager:GetSecretValue"), JSON.stringify({ Ref: secretId }));
    assert.match(resourceOf("logs:PutLogEvents"), /log-group:\/aws\/lambda\/cwsyn-ticketing-prod-probe-\*/);
    assert.ok(!JSON.stringify(statements).includes("logs:CreateLogGroup"));
    const ofSynthetics = { StringEquals: { "cloudwatch:namespace": "CloudWatchSynthetics" } };
    assert.deepEqual(statementOf("cloudwatch:PutMetricData").Condition, ofSynthetics);
    assert.deepEqual(findings, []);
  });

  test("keep artifacts for 30 days, and are deleted with the stack", () => {
    const { DeletionPolicy, Properties } =
      template.Resources[/"Ref":"(ProbeBucket\w+)"/.exec(JSON.stringify(canary.ArtifactS3Location))?.[1] ?? ""];
    assert.equal(DeletionPolicy, "Delete");
    // Synthetics makes a function of its own for the canary.
    assert.equal(canary.ProvisionedResourceCleanup, "AUTOMATIC");
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
