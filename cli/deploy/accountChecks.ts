import { CloudFormationClient } from "@aws-sdk/client-cloudformation";
import { GetAccountSettingsCommand, LambdaClient } from "@aws-sdk/client-lambda";
import { GetParameterCommand, ParameterNotFound, SSMClient } from "@aws-sdk/client-ssm";
import type { Settings, Stage } from "../../lib/settings.ts";
import { certificateCheck } from "./certificateCheck.ts";
import { cloudFrontChecks } from "./cloudFrontChecks.ts";
import { failedCreations } from "./failedCreation.ts";
import type { Account } from "./openAccount.ts";
import { quotaChecks } from "./quotaChecks.ts";
import { type Check, CheckFailure } from "./runChecks.ts";

/** The checks that an account must pass before the first deployment of a stage. */
export function accountChecks(account: Account, settings: Settings): Check[] {
  const { stage, domainName, certificateArn } = settings;
  const { config } = account;
  return [
    { name: "Bootstrap", check: () => checkBootstrap(account) },
    // Only the other stages reserve concurrency.
    ...(stage === "dev" ? [] : [{ name: "Lambda", check: () => checkConcurrency(account) }]),
    ...cloudFrontChecks(config),
    ...(domainName && certificateArn ? [certificateCheck(config, domainName, certificateArn)] : []),
    ...quotaChecks(config),
    { name: "Earlier deployment", check: () => checkEarlierDeployment(account, stage) },
  ];
}

/** The version that the CDK's default synthesizer writes into the templates. */
export const requiredBootstrapVersion = 6;

async function checkBootstrap({ id, region, config }: Account): Promise<string> {
  const bootstrap = `Run npx cdk bootstrap aws://${id}/${region}.`;
  const version = await bootstrapVersion(new SSMClient(config));
  if (version === undefined) throw new CheckFailure(`The account is not bootstrapped in ${region}. ${bootstrap}`);
  if (!(version >= requiredBootstrapVersion))
    throw new CheckFailure(`Version ${version} is too old; ${requiredBootstrapVersion} is required. ${bootstrap}`);
  return `version ${version}.`;
}

async function bootstrapVersion(client: SSMClient): Promise<number | undefined> {
  try {
    const { Parameter } = await client.send(new GetParameterCommand({ Name: "/cdk-bootstrap/hnb659fds/version" }));
    return Number(Parameter?.Value);
  } catch (error) {
    if (error instanceof ParameterNotFound) return undefined;
    throw error;
  }
}

/** Leaves room for the concurrency that a stage reserves; Lambda refuses a reservation that leaves less than 100 to the other functions. */
const requiredConcurrency = 500;

async function checkConcurrency({ region, config }: Account): Promise<string> {
  const { AccountLimit } = await new LambdaClient(config).send(new GetAccountSettingsCommand({}));
  const { ConcurrentExecutions: limit = 0, UnreservedConcurrentExecutions: unreserved = 0 } = AccountLimit ?? {};
  if (limit < requiredConcurrency)
    throw new CheckFailure(
      `The account may run ${limit} functions at once in ${region}; ${requiredConcurrency} are required. ` +
        'Request an increase of "Concurrent executions" in Service Quotas (new accounts may have 10).',
    );
  return `${limit} functions at once, ${unreserved} of them not reserved.`;
}

async function checkEarlierDeployment({ config }: Account, stage: Stage): Promise<string> {
  const failed = await failedCreations(new CloudFormationClient(config), stage);
  if (failed.length === 0) return "no creation has failed.";
  const names = failed.map(({ StackName, StackStatus }) => `${StackName} (${StackStatus})`).join(" and ");
  return `the creation of ${names} failed. npm run deploy repeats it; "A failed first deployment" in docs/operators/deployment.md says what to delete.`;
}
