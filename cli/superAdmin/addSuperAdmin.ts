import { parseArgs } from "node:util";
import { CognitoIdentityProviderClient } from "@aws-sdk/client-cognito-identity-provider";
import * as z from "zod";
import { defaultClaims } from "../../functions/auth/signInSettings.ts";
import { describeError } from "../../functions/ingest/describeError.ts";
import { resourceId } from "../../functions/resources/resourceId.ts";
import { UsageError } from "../../local/usageError.ts";
import { superAdminDirectory } from "./superAdminDirectory.ts";

const usage = `npm run add-super-admin -- --user-pool ID --email ADDRESS --organisation ID
  --user-pool ID      the stack's output UserPoolId
  --email ADDRESS     the person; Cognito sends a first password there, valid for three days
  --organisation ID   the organisation whose API keys they may create, view and revoke

Uses the usual AWS credentials and region. Running it again is safe: an existing user is only added to the group.`;

const Options = z.object({
  "user-pool": z
    .string("--user-pool is missing.")
    .regex(/^[\w-]+_[0-9A-Za-z]+$/, "--user-pool must be an id like eu-west-1_aBcDeFgHi."),
  email: z.email("--email must be an email address."),
  organisation: z.string("--organisation is missing.").pipe(resourceId("organisation")),
});

try {
  const { values } = parseArgs({
    options: {
      "user-pool": { type: "string" },
      email: { type: "string" },
      organisation: { type: "string" },
      help: { type: "boolean", short: "h" },
    },
  });
  if (values.help) console.log(usage);
  else console.log(await add(values));
} catch (error) {
  console.error(explain(error));
  process.exit(1);
}

async function add(values: object): Promise<string> {
  const options = Options.safeParse(values);
  if (!options.success)
    throw new UsageError(`${options.error.issues.map(({ message }) => message).join("\n")}\n\n${usage}`);
  const { "user-pool": userPoolId, email, organisation } = options.data;
  const directory = superAdminDirectory(
    new CognitoIdentityProviderClient({}),
    userPoolId,
    defaultClaims.superAdminRole,
  );
  const isNew = await directory.add(email, organisation);
  const how = isNew
    ? "Cognito sends them a first password."
    : "They were already in the user pool and keep their password.";
  return `${email} is a super-admin of organisation ${organisation}. ${how}`;
}

/** One line for an error that the user can fix; other errors are bugs and keep their stack. */
function explain(error: unknown): unknown {
  if (error instanceof UsageError) return error.message;
  if (error instanceof TypeError && "code" in error) return `${error.message}\n\n${usage}`;
  const isRefusal =
    error instanceof Error && ("$metadata" in error || "code" in error || error.name === "CredentialsProviderError");
  return isRefusal ? `The user pool rejected the request: ${describeError(error)}.` : error;
}
