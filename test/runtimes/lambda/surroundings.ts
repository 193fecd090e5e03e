import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { createServer } from "node:https";
import { join } from "node:path";
import { afterAll } from "@jest/globals";
import { mintApiKey } from "../../../functions/keys/apiKeySecret.ts";
import { MemoryQueue } from "../../../packages/local-aws/queue/memoryQueue.ts";
import { startSqsServer } from "../../../packages/local-aws/queue/sqsServer.ts";
import { resourcesOf, type Template } from "../../lib/support/synthesise.ts";
import { startFakeAws } from "../../support/aws/fakeAws.ts";
import { useObjectStore } from "../../support/aws/objectStore.ts";
import { useTestTable } from "../../support/data/testTable.ts";
import { clientId, startIdentityProvider } from "../../support/http/identityProvider.ts";
import { listen } from "../../support/http/listen.ts";
import { temporaryDirectory } from "../../support/temporaryDirectory.ts";
import type { ValueOf } from "./deployedFunctions.ts";

/** Starts what the functions of a stage call: a table, its queues, a bucket, an identity provider, KMS, Secrets Manager and the stage itself. */
export async function startSurroundings({ data }: { data: Template }) {
  const { endpoint, tableName } = await useTestTable();
  const byId = resourcesOf(data, "AWS::SQS::Queue").map(
    ([id]) => [id, new MemoryQueue(id, { visibilityTimeoutMs: 60_000 })] as const,
  );
  const queues = await startSqsServer(new Map(byId.map(([id, queue]) => [`/${id}`, queue])));
  const store = await useObjectStore();
  const provider = await startIdentityProvider();
  const { key: probeKey } = mintApiKey();
  const aws = await startFakeAws();
  Object.assign(aws.answers, {
    GenerateMac: { Mac: Buffer.alloc(32, 1).toString("base64"), MacAlgorithm: "HMAC_SHA_256" },
    GetSecretValue: { SecretString: probeKey },
  });
  const stage = await startStage(probeKey);
  afterAll(async () => {
    provider.stop();
    await Promise.all([queues.stop(), store.close(), aws.close()]);
  });

  const values: Record<string, (id: string) => string> = {
    "AWS::DynamoDB::GlobalTable Ref": () => tableName,
    "AWS::SQS::Queue Ref": (id) => `${queues.url}/${id}`,
    "AWS::KMS::Key Arn": () => "arn:aws:kms:eu-west-1:123456789012:key/0a1b",
    "AWS::SecretsManager::Secret Ref": () => "arn:aws:secretsmanager:eu-west-1:123456789012:secret:key",
    "AWS::Cognito::UserPool ProviderURL": () => provider.issuer,
    "AWS::Cognito::UserPoolClient Ref": () => clientId,
    "AWS::CloudFront::Distribution DomainName": () => stage.host,
  };
  const resolve: ValueOf = (type, id, attribute = "Ref") => {
    const value = values[`${type} ${attribute}`];
    if (!value) throw new Error(`A variable has the ${attribute} of ${type}, which has no value here.`);
    return value(id);
  };
  /** Variables that lead a function to these surroundings. */
  const variables = {
    AWS_ENDPOINT_URL: String(aws.environment.AWS_ENDPOINT_URL),
    AWS_ENDPOINT_URL_DYNAMODB: endpoint,
    AWS_ENDPOINT_URL_S3: String(process.env.AWS_ENDPOINT_URL_S3),
    NODE_EXTRA_CA_CERTS: stage.certificateFile,
    // On a busy machine, DynamoDB Local may need longer than a request waits for DynamoDB.
    DYNAMODB_TIMEOUT_MS: "10000",
  };
  return { resolve, variables, store, provider };
}

/** Responds to the probe as a stage does that knows one key, with a certificate of its own. */
async function startStage(key: string) {
  const directory = temporaryDirectory();
  const [keyFile, certificateFile] = [join(directory, "key.pem"), join(directory, "certificate.pem")];
  const options = "req -x509 -newkey rsa:2048 -nodes -days 60 -subj /CN=127.0.0.1 -addext subjectAltName=IP:127.0.0.1";
  execFileSync("openssl", [...options.split(" "), "-keyout", keyFile, "-out", certificateFile], { stdio: "pipe" });
  const tls = { key: readFileSync(keyFile), cert: readFileSync(certificateFile) };
  const server = createServer(tls, ({ url, headers }, outgoing) => {
    if (url === "/developer") return outgoing.end("<html>");
    const isKnown = headers.authorization === `Bearer ${key}`;
    const known = url === "/v1/key" ? { prefix: key.slice(0, 12), organisation_id: 1 } : { data: [], pagination: {} };
    outgoing.statusCode = isKnown ? 200 : 401;
    outgoing.end(JSON.stringify(isKnown ? known : { code: "unauthorized" }));
  });
  const { host } = new URL(await listen(server));
  return { host, certificateFile };
}
