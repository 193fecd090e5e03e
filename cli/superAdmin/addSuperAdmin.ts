import { CognitoIdentityProviderClient } from "@aws-sdk/client-cognito-identity-provider";
import * as z from "zod";
import { command, type Io, idOption } from "../shared/command.ts";
import { addToUserPool } from "./addToUserPool.ts";

const usage = `npm run add-super-admin -- --user-pool ID --email ADDRESS --organisation ID [--organisation-name NAME]
  --user-pool ID            the stack's output UserPoolId
  --email ADDRESS           the person; Cognito sends a first password there, valid for three days
  --organisation ID         the organisation whose API keys they may create, view and revoke
  --organisation-name NAME  the organisation's name in the header of the Developer area, for a new user; default: its id

Uses the usual AWS credentials and region. Running it again is safe: an existing user is only added to the group.
Exit codes: 0 done, 2 failed, 130 interrupted.`;

const nameLength = "--organisation-name must have 1 to 200 characters.";

const Options = z.object({
  "user-pool": z
    .string("--user-pool is missing.")
    .regex(/^[\w-]+_[0-9A-Za-z]+$/, "--user-pool must be an id like eu-west-1_aBcDeFgHi."),
  email: z.email("--email must be an email address."),
  organisation: idOption("--organisation"),
  "organisation-name": z.string().min(1, nameLength).max(200, nameLength).optional(),
});

export const main = await command(import.meta, { usage, Options }, run);

async function run(options: z.infer<typeof Options>, { stdout }: Io): Promise<number> {
  const { "user-pool": userPoolId, email, organisation, "organisation-name": name } = options;
  const isNew = await addToUserPool(new CognitoIdentityProviderClient({}), userPoolId, { email, organisation, name });
  const how = isNew
    ? "Cognito sends them a first password."
    : "They were already in the user pool and keep their password.";
  stdout.write(`${email} is a super-admin of organisation ${organisation}. ${how}\n`);
  return 0;
}
