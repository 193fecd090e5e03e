import { readFileSync } from "node:fs";
import { join } from "node:path";
import * as z from "zod";
import { defaultRateLimit } from "../functions/api/rateLimit.ts";
import { defaultClaims } from "../functions/people/signInSettings.ts";

/** The stages, each with its own stacks. `dev` is disposable; the data of the others outlives them. */
export const Stage = z.enum(["dev", "staging", "prod"], "Must be dev, staging or prod.");
export type Stage = z.infer<typeof Stage>;

/** The output of the data stack that says which `restoredTableStream` the stage has; `none` without one. */
export const restoredTableOutput = "RestoredTableStream";

/** The outputs of the data stack with the URLs of the import's queue and of the queues of what failed. */
export const importQueueOutput = "ImportQueueUrl";
export const failedOutputs = {
  summaries: "FailedSummariesUrl",
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

const SettingsFields = z.strictObject({
  stage: Stage.default("dev"),
  /** The output BaseUrl of a stage without a domain name of its own, for the smoke test. */
  baseUrl: httpsUrl("Must be an https URL.").optional(),
  /** A custom domain name, and its certificate, which CloudFront requires in us-east-1. */
  domainName: z.hostname().optional(),
  certificateArn: z
    .string()
    .regex(/^arn:aws[\w-]*:acm:us-east-1:\d{12}:certificate\/[\w-]+$/, "Must be the ARN of a certificate in us-east-1.")
    .optional(),
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
  /** Where integrators get help: an e-mail address or an https URL. The reference page and the OpenAPI document show it. */
  supportContact: z.union([z.email(), httpsUrl("")], "Must be an email address or an https URL.").optional(),
  /** A web ACL with AWS's managed rules and rate limits. By default on except in dev, because of its monthly price. */
  webAcl: z.enum(["on", "off"]).optional(),
  /** Canary releases with automatic rollback. By default on except in dev, because they take minutes. */
  canary: z.enum(["on", "off"]).optional(),
  /** A probe that calls the API through its public address. By default on except in dev, because of its price and its key. */
  probe: z.enum(["on", "off"]).optional(),
  /** One more makes a new secret that the distribution sends to the API; the one before stays valid until the next. */
  originSecretVersion: z.coerce.number().int().min(1).default(1),
  /** Requests a minute with one Authorization header, with all keys of one organisation, from one address, and of all clients without a key. */
  requestsPerMinutePerKey: rate.default(defaultRateLimit.key),
  requestsPerMinutePerOrganisation: rate.default(defaultRateLimit.organisation),
  requestsPerMinutePerAddress: rate.default(6_000),
  requestsPerMinuteWithoutKey: rate.default(6_000),
  /**
   * The stream ARN of a restored table that the stage uses instead of its own; `npm run table:restore` prints it. Null says that the stage goes back
   * to its own table, where a missing setting could be a mistake.
   */
  restoredTableStream: z
    .string()
    .regex(
      /^arn:aws[\w-]*:dynamodb:[\w-]+:\d{12}:table\/[\w.-]+\/stream\/[\w:.-]+$/,
      "Must be the ARN of a table's stream.",
    )
    .nullish(),
  /**
   * The ARN of the table that the stage used until this deployment, if that is not its own: functions keep their rights on it, which the versions
   * that still serve requests need. Leave it out of the next deployment.
   */
  formerTableArn: z
    .string()
    .regex(/^arn:aws[\w-]*:dynamodb:[\w-]+:\d{12}:table\/[\w.-]+$/, "Must be the ARN of a table.")
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
});

/** A stage's settings, by the names that its file and the CDK's context use. */
export const Settings = SettingsFields.refine(
  together("domainName", "certificateArn"),
  "domainName and certificateArn go together.",
)
  .refine(together("signInIssuer", "signInClientId"), "signInIssuer and signInClientId go together.")
  .refine(({ baseUrl, domainName }) => baseUrl === undefined || domainName === undefined, {
    path: ["baseUrl"],
    error: "Leave it out with a domainName, which is the stage's address.",
  })
  .refine(({ restoredTableStream, formerTableArn }) => !restoredTableStream?.startsWith(`${formerTableArn}/`), {
    path: ["formerTableArn"],
    error: "Must be another table than the one in use.",
  })
  .refine(({ stage, alarmEmails }) => stage === "dev" || alarmEmails.length > 0, {
    path: ["alarmEmails"],
    error: "Required in staging and prod: the email addresses that receive alarms.",
  });
export type Settings = z.infer<typeof Settings>;

/**
 * A stage's settings: those of `stages/STAGE.json`, and for one deployment those of the CDK's context (`-c NAME=VALUE`), which win. `problem`
 * describes invalid ones.
 *
 * @param context names the stage, by default dev.
 */
export function settingsOf(
  context: Record<string, unknown>,
  directory = "stages",
): { settings?: Settings; problem?: string } {
  const given = Object.fromEntries(Object.entries(context).filter(([name]) => !isOfCdk(name)));
  const { data: stage, error: wrongStage } = z.object({ stage: Stage.default("dev") }).safeParse(given);
  if (wrongStage) return { problem: describe(wrongStage, "cdk -c stage=NAME") };
  const file = join(directory, `${stage.stage}.json`);
  let ofFile: unknown;
  try {
    ofFile = JSON.parse(readFileSync(file, "utf8"));
  } catch (error) {
    return { problem: `Cannot read the settings in ${file}: ${error instanceof Error ? error.message : error}` };
  }
  // The file's name says the stage.
  const { data: written, error: wrongFile } = z.record(z.string(), z.unknown()).safeParse(ofFile);
  if (wrongFile || "stage" in written) return { problem: `${file} must be an object of settings without a stage.` };
  const { data: settings, error } = Settings.safeParse({ ...written, ...given, ...stage });
  return settings ? { settings } : { problem: describe(error, `${file}, or cdk -c NAME=VALUE`) };
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
