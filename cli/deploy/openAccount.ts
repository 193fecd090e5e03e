import { AssumeRoleCommand, GetCallerIdentityCommand, STSClient, STSServiceException } from "@aws-sdk/client-sts";
import { UsageError } from "../../local/usageError.ts";

/** The account and region that a stage is deployed to. */
export interface Account {
  id: string;
  region: string;
  /** Whose rights the clients have. */
  actsAs: string;
  /** The configuration of AWS clients. */
  config: Pick<ConstructorParameters<typeof STSClient>[0] & object, "region" | "profile" | "credentials">;
}

/**
 * Opens the account as the CDK does: with a role of the bootstrap, or with the caller's own rights if they cannot assume it.
 *
 * @throws UsageError without credentials or region.
 */
export async function openAccount(profile: string | undefined, role: "deploy" | "lookup"): Promise<Account> {
  const variables = process.env.AWS_REGION ?? process.env.AWS_DEFAULT_REGION;
  const sts = new STSClient({ ...(profile && { profile }), ...(variables && { region: variables }) });
  const { Account: id = "", Arn: caller = "" } = await explained(() => sts.send(new GetCallerIdentityCommand({})));
  const region = await sts.config.region();
  const [, partition] = caller.split(":");
  const roleArn = `arn:${partition}:iam::${id}:role/cdk-hnb659fds-${role}-role-${id}-${region}`;
  const credentials = await assume(sts, roleArn);
  return {
    id,
    region,
    actsAs: credentials ? roleArn : caller,
    config: { region, ...(profile && { profile }), ...(credentials && { credentials }) },
  };
}

async function explained<Result>(request: () => Promise<Result>): Promise<Result> {
  try {
    return await request();
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    if (error.name === "CredentialsProviderError")
      throw new UsageError(`Found no AWS credentials; set AWS_PROFILE, for example. (${error.message})`);
    if (error.message === "Region is missing") throw new UsageError("Found no AWS region; set AWS_REGION.");
    throw error;
  }
}

async function assume(sts: STSClient, RoleArn: string) {
  try {
    const { Credentials } = await sts.send(new AssumeRoleCommand({ RoleArn, RoleSessionName: "ticketing-deployment" }));
    const { AccessKeyId = "", SecretAccessKey = "", SessionToken = "" } = Credentials ?? {};
    return { accessKeyId: AccessKeyId, secretAccessKey: SecretAccessKey, sessionToken: SessionToken };
  } catch (error) {
    if (error instanceof STSServiceException) return undefined;
    throw error;
  }
}
