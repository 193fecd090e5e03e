import {
  AdminAddUserToGroupCommand,
  AdminCreateUserCommand,
  AdminGetUserCommand,
  CognitoIdentityProviderClient,
  UsernameExistsException,
} from "@aws-sdk/client-cognito-identity-provider";
import { UsageError } from "@ticketing/local-aws/usage-error";
import * as z from "zod";
import { defaultClaims } from "../../functions/people/signInSettings.ts";
import { command, type Io, idOption, option } from "../shared/command.ts";

interface SuperAdmin {
  email: string;
  organisation: number;
  /** The organisation's name, shown in the header of the Developer area. */
  name: string | undefined;
}

/** Creates a person's user if needed. @returns the outcome in words. @throws UsageError if they belong to another organisation, or to none. */
async function invite(client: CognitoIdentityProviderClient, UserPoolId: string, person: SuperAdmin): Promise<string> {
  const { email, organisation, name } = person;
  const UserAttributes = [
    { Name: "email", Value: email },
    // Reading the first password there proves ownership of the address.
    { Name: "email_verified", Value: "true" },
    { Name: defaultClaims.organisationClaim, Value: String(organisation) },
    ...(name === undefined ? [] : [{ Name: defaultClaims.organisationNameClaim, Value: name }]),
  ];
  const DesiredDeliveryMediums: ["EMAIL"] = ["EMAIL"];
  try {
    await client.send(
      new AdminCreateUserCommand({ UserPoolId, Username: email, UserAttributes, DesiredDeliveryMediums }),
    );
    return "Cognito sends them a first password.";
  } catch (error) {
    if (!(error instanceof UsernameExistsException)) throw error;
    const status = await statusInOrganisation(client, UserPoolId, person);
    if (status !== "FORCE_CHANGE_PASSWORD") return "They were already in the user pool and keep their password.";
    const again = { UserPoolId, Username: email, DesiredDeliveryMediums };
    await client.send(new AdminCreateUserCommand({ ...again, MessageAction: "RESEND" }));
    return "They were in the user pool, but have never signed in: Cognito sends them a new first password.";
  }
}

/** The status of an existing user. @throws UsageError if they belong to another organisation, or to none. */
async function statusInOrganisation(
  client: CognitoIdentityProviderClient,
  UserPoolId: string,
  { email, organisation }: SuperAdmin,
): Promise<string | undefined> {
  const { UserAttributes = [], UserStatus } = await client.send(
    new AdminGetUserCommand({ UserPoolId, Username: email }),
  );
  const theirs = UserAttributes.find(({ Name }) => Name === defaultClaims.organisationClaim)?.Value;
  if (theirs === String(organisation)) return UserStatus;
  const belongs = theirs === undefined ? "has no organisation" : `belongs to organisation ${theirs}`;
  throw new UsageError(`${email} is already in the user pool and ${belongs}. Nothing was changed.`);
}

const about = `Makes a person a super-admin of an organisation, with the usual AWS credentials and region. Running it again is safe: an existing user is only
added to the group, and gets a new first password if they have not signed in yet.
Exit codes: 0 done, 2 failed, 130 interrupted.`;

const nameLength = "--organisation-name must have 1 to 200 characters.";

const Options = z.object({
  "user-pool": option(
    z
      .string("--user-pool is missing.")
      .regex(/^[\w-]+_[0-9A-Za-z]+$/, "--user-pool must be an id like eu-west-1_aBcDeFgHi."),
    "ID",
    "the stack's output UserPoolId",
  ),
  email: option(
    z.email("--email must be an email address."),
    "ADDRESS",
    "the person; Cognito sends a first password there, valid for three days",
  ),
  organisation: option(
    idOption("--organisation"),
    "ID",
    "the organisation whose API keys they may create, view and revoke",
  ),
  "organisation-name": option(
    z.string().min(1, nameLength).max(200, nameLength).optional(),
    "NAME",
    "shown in the header of the Developer area, for a new user; default: the organisation's id",
  ),
});

export const main = command({ name: "super-admin add", Options, about }, run);

async function run(options: z.infer<typeof Options>, { stdout }: Io): Promise<number> {
  const { "user-pool": UserPoolId, email, organisation, "organisation-name": name } = options;
  const client = new CognitoIdentityProviderClient({});
  // First the organisation, so that nobody is ever in the group without the right one.
  const outcome = await invite(client, UserPoolId, { email, organisation, name });
  const group = { Username: email, GroupName: defaultClaims.superAdminRole };
  await client.send(new AdminAddUserToGroupCommand({ UserPoolId, ...group }));
  stdout.write(`${email} is a super-admin of organisation ${organisation}. ${outcome}\n`);
  return 0;
}
