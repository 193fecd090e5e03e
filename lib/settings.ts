import { readFileSync } from "node:fs";
import { join } from "node:path";
import * as z from "zod";
import { defaultRateLimit } from "../functions/api/rateLimit.ts";
import { defaultClaims } from "../functions/people/signInSettings.ts";

/** The stages, each with its own stacks. `dev` is disposable; the data of the others outlives them. */
export const Stage = z.enum(["dev", "staging", "prod"], "Must be dev, staging or prod.");
export type Stage = z.infer<typeof Stage>;

/** The data stack's outputs with the URLs of the import's queue and of the queues of failures. */
export const importQueueOutput = "ImportQueueUrl";
export const failedOutputs = {
  "table-stream": "FailedTableStreamUrl",
  events: "FailedEventsUrl",
  usage: "FailedUsageUrl",
  backups: "FailedBackupsUrl",
} as const;

/** A list, or a text with values separated by spaces. */
const listOf = (value: z.ZodType<string, string>) =>
  z.preprocess((list) => (typeof list === "string" ? list.split(" ") : list), z.array(value));

const httpsUrl = (error: string) => z.url({ protocol: /^https$/, error });

/** An account by its 12 digits, a role or user by its ARN. A wildcard is not allowed. */
const principal = z.string().regex(/^(\d{12}|arn:aws[\w-]*:iam::\d{12}:(role|user)\/[\w+=,.@/-]+)$/, {
  error: "Must be account ids or ARNs of roles or users, separated by spaces.",
});

/** The range of a web ACL's rate rule, from "Rate-based rule high-level settings" in the WAF developer guide. */
const rate = z.coerce.number().int().min(10).max(2_000_000_000);

/** CloudWatch looks back a week at most ("Alarm evaluation"). */
const longestAlarmHours = 7 * 24;

const SettingsFields = z.strictObject({
  stage: Stage.default("dev"),
  /** The only account and region that the stage is in. Without them, a dev stage is deployed to the account of your credentials. */
  account: z
    .string()
    .regex(/^\d{12}$/, "Must be the 12 digits of an AWS account, as a text.")
    .optional(),
  region: z
    .string()
    .regex(/^[a-z]{2}(-[a-z]+)+-\d$/, "Must be an AWS region, such as eu-west-1.")
    .optional(),
  /** A custom domain name, and its certificate, which CloudFront requires in us-east-1. */
  domainName: z.hostname().optional(),
  certificateArn: z
    .string()
    .regex(/^arn:aws[\w-]*:acm:us-east-1:\d{12}:certificate\/[\w-]+$/, "Must be the ARN of a certificate in us-east-1.")
    .optional(),
  /** Says of a prod without a domain name that clients may use TLS 1.0 and 1.1, which CloudFront then cannot refuse. */
  oldTls: z.literal("accepted", "Must be accepted.").optional(),
  /** An identity provider instead of the stage's own user pool, and the Developer area's client id there. */
  signInIssuer: httpsUrl("Must be an https URL.").optional(),
  signInClientId: z.string().min(1).optional(),
  /** Further origins that the page requests tokens from, besides the issuer's. */
  signInOrigins: listOf(httpsUrl("Must be https origins, separated by spaces.")).optional(),
  signInOrganisationClaim: z.string().min(1).default(defaultClaims.organisationClaim),
  signInOrganisationNameClaim: z.string().min(1).default(defaultClaims.organisationNameClaim),
  signInRolesClaim: z.string().min(1).default(defaultClaims.rolesClaim),
  signInSuperAdminRole: z.string().min(1).default(defaultClaims.superAdminRole),
  /**
   * The address from which Cognito sends its e-mails, through SES: its domain must be a verified identity of SES in the stage's account and
   * region. By default Cognito sends them itself, at most 50 a day.
   */
  signInEmail: z.email("Must be an email address.").optional(),
  /** The authenticator app with which people of the stage's user pool sign in: required in prod by default, otherwise optional. */
  signInMfa: z.enum(["required", "optional"]).optional(),
  /** Where integrators get help: an e-mail address or an https URL. The reference page and the OpenAPI document show it. */
  supportContact: z.union([z.email(), httpsUrl("")], "Must be an email address or an https URL.").optional(),
  /** A web ACL with AWS's managed rules and rate limits. By default on except in dev, because of its monthly price. */
  webAcl: z.enum(["on", "off"]).optional(),
  /** Canary releases with automatic rollback. By default on except in dev, because they take minutes. */
  canary: z.enum(["on", "off"]).optional(),
  /** A probe that calls the API through its public address. By default on except in dev, because of its price and its key. */
  probe: z.enum(["on", "off"]).optional(),
  /** A higher version makes a new secret for the distribution's requests; the previous one stays valid until the next change. */
  originSecretVersion: z.coerce.number().int().min(1).default(1),
  /** Requests a minute with one Authorization header, with all keys of one organisation, from one address, and of all clients without a key. */
  requestsPerMinutePerKey: rate.default(defaultRateLimit.key),
  requestsPerMinutePerOrganisation: rate.default(defaultRateLimit.organisation),
  requestsPerMinutePerAddress: rate.default(6_000),
  requestsPerMinuteWithoutKey: rate.default(6_000),
  /**
   * The stream of the stage's table, if the table was lost and restored under its own name: its stream is new, and CloudFormation does not know it.
   * `npm run ops -- table adopt` prints it.
   */
  tableStreamArn: z
    .string()
    .regex(
      /^arn:aws[\w-]*:dynamodb:[\w-]+:\d{12}:table\/[\w.-]+\/stream\/[\w:.-]+$/,
      "Must be the ARN of a table's stream.",
    )
    .optional(),
  /** Principals that may send records, besides those that the account's own policies allow. */
  feedSenders: listOf(principal).default([]),
  /** A vault of AWS Backup, normally of another account, that gets a copy of the table's daily backup. */
  backupVaultArn: z
    .string()
    .regex(/^arn:aws[\w-]*:backup:[a-z0-9-]+:\d{12}:backup-vault:[\w-]{2,50}$/, {
      error: "Must be the ARN of a vault of AWS Backup.",
    })
    .optional(),
  /** The recipients of alarms, required except in dev. SNS asks each of them once to confirm. */
  alarmEmails: listOf(z.email("Must be email addresses, separated by spaces.")).default([]),
  /** Without a record from the core system for this number of hours, an alarm is raised; 0 for none. By default 24 in prod, otherwise 0. */
  feedSilenceHours: z.coerce.number().int().min(0).max(longestAlarmHours).optional(),
  /** US$ a month that the account may cost: a budget, and the detection of unusual costs, send e-mails to `alarmEmails`. By default neither. */
  monthlyBudget: z.coerce.number().positive().optional(),
});

/** A stage's settings, by the names that its file and the CDK's context use. */
export const Settings = SettingsFields.refine(
  together("domainName", "certificateArn"),
  "domainName and certificateArn go together.",
)
  .refine(together("signInIssuer", "signInClientId"), "signInIssuer and signInClientId go together.")
  .refine(together("account", "region"), "account and region go together.")
  .refine(({ stage, alarmEmails }) => stage === "dev" || alarmEmails.length > 0, {
    path: ["alarmEmails"],
    error: "Required in staging and prod: the email addresses that receive alarms.",
  })
  .refine(({ monthlyBudget, alarmEmails }) => monthlyBudget === undefined || alarmEmails.length > 0, {
    path: ["monthlyBudget"],
    error: "Requires alarmEmails, which receive its messages.",
  });
export type Settings = z.infer<typeof Settings>;

/** A template can be made for any account, but a stage with data is in one that its file names. */
const DeployedSettings = Settings.refine(({ stage, account }) => stage === "dev" || account !== undefined, {
  path: ["account"],
  error: "Required in staging and prod: the 12 digits of the stage's own AWS account.",
})
  .refine(({ stage, region }) => stage === "dev" || region !== undefined, {
    path: ["region"],
    error: "Required in staging and prod: the stage's AWS region, such as eu-west-1.",
  })
  .refine(({ stage, domainName, oldTls }) => stage !== "prod" || domainName !== undefined || oldTls === "accepted", {
    path: ["domainName"],
    error:
      "Required in prod, with certificateArn: without them, CloudFront also accepts TLS 1.0 and 1.1. If that is meant, set oldTls to accepted.",
  });

/** `deploy/stages/STAGE.json`, overridden for one deployment by the CDK's context (`-c NAME=VALUE`), which names the stage, by default dev. */
export function settingsOf(
  context: Record<string, unknown>,
  directory = "deploy/stages",
): { settings?: Settings; problem?: string } {
  const given = Object.fromEntries(Object.entries(context).filter(([name]) => !isOfCdk(name)));
  const { data: stage, error: wrongStage } = z.object({ stage: Stage.default("dev") }).safeParse(given);
  if (wrongStage) return { problem: describe(wrongStage, "cdk -c stage=NAME") };
  const file = fileOf(stage.stage, directory);
  const { inFile, problem } = readSettings(file);
  if (!inFile) return { problem };
  const { data: settings, error } = DeployedSettings.safeParse({ ...inFile, ...given, ...stage });
  if (!settings) return { problem: describe(error, `${file}, or cdk -c NAME=VALUE`) };
  // The CDK sets the variable to the credentials' account.
  const account = settings.account ?? process.env.CDK_DEFAULT_ACCOUNT;
  const other = Stage.options.find((one) => one !== stage.stage && accountOf(one, directory) === account);
  if (account === undefined || other === undefined) return { settings };
  return {
    problem: `The account ${account} is that of the stage ${other} in ${fileOf(other, directory)}. Deploy ${stage.stage} into another: the right to deploy a stage is the right to change everything in its account.`,
  };
}

/** Features that cost money or time are on by default, except in the disposable stage. */
export function isOn({ stage, ...settings }: Settings, feature: "webAcl" | "canary" | "probe"): boolean {
  return (settings[feature] ?? (stage === "dev" ? "off" : "on")) === "on";
}

function fileOf(stage: Stage, directory: string): string {
  return join(directory, `${stage}.json`);
}

/** The settings in a file, whose name says the stage. */
function readSettings(file: string): { inFile?: Record<string, unknown>; problem?: string } {
  try {
    const { data: inFile } = z.record(z.string(), z.unknown()).safeParse(JSON.parse(readFileSync(file, "utf8")));
    if (inFile && !("stage" in inFile)) return { inFile };
    return { problem: `${file} must be an object of settings without a stage.` };
  } catch (error) {
    return { problem: `Cannot read the settings in ${file}: ${error instanceof Error ? error.message : error}` };
  }
}

/** The account in a stage's file; undefined if the file is invalid, which the stage's own deployment reports. */
function accountOf(stage: Stage, directory: string): unknown {
  return readSettings(fileOf(stage, directory)).inFile?.account;
}

function describe(error: z.ZodError | undefined, place: string): string {
  return `Invalid settings (${place}):\n${error ? z.prettifyError(error) : ""}`;
}

/** CDK's own context entries have a colon or a slash in their name, except this one. */
function isOfCdk(name: string): boolean {
  return name === "cli-telemetry" || /[:/]/.test(name);
}

function together(one: string, other: string) {
  return (settings: Record<string, unknown>) => (settings[one] === undefined) === (settings[other] === undefined);
}
