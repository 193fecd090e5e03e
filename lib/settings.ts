import * as z from "zod";
import { defaultClaims } from "../functions/auth/signInSettings.ts";

/** The stages of the service, each a stack of its own. `dev` may be thrown away; what the others hold outlives their stack. */
export const Stage = z.enum(["dev", "staging", "prod"], "Must be dev, staging or prod.");
export type Stage = z.infer<typeof Stage>;

const issuer = z.url({ protocol: /^https$/, error: "Must be an https URL." });
const origins = z
  .string()
  .transform((text) => text.split(" "))
  .pipe(z.array(z.url({ protocol: /^https$/, error: "Must be https origins, with a space between." })));

const emails = z
  .string()
  .transform((text) => text.split(" "))
  .pipe(z.array(z.email("Must be e-mail addresses, with a space between.")));

/** Accounts by their 12 digits, roles and users by their ARN: never everybody. */
const principals = z
  .string()
  .transform((text) => text.split(" "))
  .pipe(
    z.array(
      z.string().regex(/^(\d{12}|arn:aws[\w-]*:iam::\d{12}:(role|user)\/[\w+=,.@/-]+)$/, {
        error: "Must be account ids or ARNs of roles or users, with a space between.",
      }),
    ),
  );

/** What a rate rule of a web ACL takes, from "Rate-based rule high-level settings" in the WAF developer guide. */
const rate = z.coerce.number().int().min(10).max(2_000_000_000);

/** What a deployment may set, by the names of its CDK context. */
export const Settings = z
  .strictObject({
    stage: Stage.default("dev"),
    /** An own name for the service's address, and the certificate for it, which CloudFront wants in us-east-1. */
    domainName: z.hostname().optional(),
    certificateArn: z
      .string()
      .regex(/^arn:aws[\w-]*:acm:us-east-1:\d{12}:certificate\/[\w-]+$/, "Must be that of a certificate in us-east-1.")
      .optional(),
    /** An identity provider in place of the stack's own user pool, and the client that it knows the Developer area by. */
    signInIssuer: issuer.optional(),
    signInClientId: z.string().min(1).optional(),
    /** The origins that the page asks for tokens, where the issuer's is not the only one. */
    signInOrigins: origins.optional(),
    signInOrganisationClaim: z.string().min(1).default(defaultClaims.organisationClaim),
    signInRolesClaim: z.string().min(1).default(defaultClaims.rolesClaim),
    signInSuperAdminRole: z.string().min(1).default(defaultClaims.superAdminRole),
    /** A web ACL before the API, with AWS's managed rules and rates; left out, in all stages but dev, since it costs by the month. */
    webAcl: z.enum(["on", "off"]).optional(),
    /** Releases by way of a tenth of the calls, taken back by themselves; left out, in all stages but dev, since they take minutes. */
    canary: z.enum(["on", "off"]).optional(),
    /** Requests a minute with one Authorization header, and from one address. */
    requestsPerMinutePerKey: rate.default(3_000),
    requestsPerMinutePerAddress: rate.default(6_000),
    /** The stream of a table that was restored, and that the stage serves in place of its own: `npm run table:restore` tells it. */
    restoredTableStream: z
      .string()
      .regex(
        /^arn:aws[\w-]*:dynamodb:[\w-]+:\d{12}:table\/[\w.-]+\/stream\/[\w:.-]+$/,
        "Must be the ARN of a table's stream.",
      )
      .optional(),
    /** Who may send records, beside who may by the account's own policies. */
    feedSenders: principals.default([]),
    /** Who is told of alarms. Each must say once, to a message of SNS, that it may write to them. */
    alarmEmails: emails.default([]),
  })
  .refine(together("domainName", "certificateArn"), "domainName and certificateArn go together.")
  .refine(together("signInIssuer", "signInClientId"), "signInIssuer and signInClientId go together.");
export type Settings = z.infer<typeof Settings>;

function together(one: string, other: string) {
  return (settings: Record<string, unknown>) => (settings[one] === undefined) === (settings[other] === undefined);
}
