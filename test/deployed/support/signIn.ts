import { randomBytes } from "node:crypto";
import {
  AdminCreateUserCommand,
  AdminInitiateAuthCommand,
  AdminSetUserPasswordCommand,
  CognitoIdentityProviderClient,
  DescribeUserPoolClientCommand,
  type ExplicitAuthFlowsType,
  ListUserPoolClientsCommand,
  UpdateUserPoolClientCommand,
  UsernameExistsException,
} from "@aws-sdk/client-cognito-identity-provider";
import { run } from "./run.ts";

/** A person who may sign in at a deployed stage, with an ID token instead of the sign-in page. */
export interface Person {
  organisation_id: number;
  role: "super-admin" | "staff";
  id_token: string;
}
type Someone = Omit<Person, "id_token">;

export const everybody: readonly Someone[] = [
  { organisation_id: 1, role: "super-admin" },
  { organisation_id: 2, role: "super-admin" },
  { organisation_id: 1842, role: "super-admin" },
  { organisation_id: 1, role: "staff" },
];

/**
 * Creates super-admins with the platform team's command, and staff, and signs them in with new passwords. Meanwhile, the account's administrators
 * may sign people in at the Developer area's client, so use it only for a stage that will be removed.
 */
export async function signIn(
  people: readonly Someone[],
  UserPoolId: string,
  environment: NodeJS.ProcessEnv,
): Promise<Person[]> {
  const client = new CognitoIdentityProviderClient({});
  const { UserPoolClients = [] } = await client.send(new ListUserPoolClientsCommand({ UserPoolId, MaxResults: 1 }));
  const pool = { UserPoolId, ClientId: UserPoolClients[0]?.ClientId };
  const { UserPoolClient } = await client.send(new DescribeUserPoolClientCommand(pool));
  const { ClientSecret: _s, CreationDate: _c, LastModifiedDate: _l, ...settings } = UserPoolClient ?? {};
  const flows = settings.ExplicitAuthFlows ?? [];
  // Omitted settings would get their defaults.
  const allow = (ExplicitAuthFlows: ExplicitAuthFlowsType[]) =>
    client.send(new UpdateUserPoolClientCommand({ ...settings, ...pool, ExplicitAuthFlows }));
  await allow([...flows, "ALLOW_ADMIN_USER_PASSWORD_AUTH"]);
  try {
    const signedIn: Person[] = [];
    for (const person of people)
      signedIn.push({ ...person, id_token: await tokenOf(client, pool, person, environment) });
    return signedIn;
  } finally {
    await allow(flows);
    client.destroy();
  }
}

async function tokenOf(
  client: CognitoIdentityProviderClient,
  pool: { UserPoolId: string; ClientId: string | undefined },
  { organisation_id, role }: Someone,
  environment: NodeJS.ProcessEnv,
): Promise<string> {
  // The simulator accepts all mail (https://docs.aws.amazon.com/ses/latest/dg/send-an-email-from-console.html).
  const Username = `success+${role}-${organisation_id}@simulator.amazonses.com`;
  const { UserPoolId } = pool;
  const Password = `Aa1!${randomBytes(12).toString("base64url")}`;
  if (role === "super-admin") {
    const organisation = ["--organisation", String(organisation_id)];
    const commandLine = ["run", "ops", "--", "super-admin", "add", "--user-pool", UserPoolId, "--email", Username];
    await run("npm", [...commandLine, ...organisation], environment);
  } else await addStaff(client, { UserPoolId, Username, TemporaryPassword: Password });
  await client.send(new AdminSetUserPasswordCommand({ UserPoolId, Username, Password, Permanent: true }));
  const AuthParameters = { USERNAME: Username, PASSWORD: Password };
  const { AuthenticationResult } = await client.send(
    new AdminInitiateAuthCommand({ ...pool, AuthFlow: "ADMIN_USER_PASSWORD_AUTH", AuthParameters }),
  );
  if (AuthenticationResult?.IdToken === undefined) throw new Error(`${Username} got no ID token.`);
  return AuthenticationResult.IdToken;
}

async function addStaff(
  client: CognitoIdentityProviderClient,
  person: { UserPoolId: string; Username: string; TemporaryPassword: string },
): Promise<void> {
  try {
    await client.send(new AdminCreateUserCommand(person));
  } catch (error) {
    if (!(error instanceof UsernameExistsException)) throw error;
  }
}
