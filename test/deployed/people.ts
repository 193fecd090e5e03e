import { randomBytes } from "node:crypto";
import {
  AdminCreateUserCommand,
  AdminInitiateAuthCommand,
  AdminSetUserPasswordCommand,
  CognitoIdentityProviderClient,
  ListUserPoolClientsCommand,
} from "@aws-sdk/client-cognito-identity-provider";
import { createApiKey } from "../../functions/endpoints/createApiKey.ts";
import { Scope } from "../../functions/keys/apiKeyPrincipal.ts";
import { clientOf } from "../support/http/client.ts";
import { textOf } from "../support/http/send.ts";
import type { TokenHolder } from "../support/service/stageDescription.ts";
import { run } from "./stage.ts";

/** A person who may sign in at a deployed stage, with an ID token instead of the sign-in page. */
export interface Person {
  email: string;
  password: string;
  organisation_id: number;
  role: "super-admin" | "staff";
  id_token: string;
}

/** Makes super-admins by the platform team's own command, and one member of staff, and signs them in. */
export async function makePeople(userPoolId: string, environment: NodeJS.ProcessEnv): Promise<Person[]> {
  const client = new CognitoIdentityProviderClient({});
  const { UserPoolClients = [] } = await client.send(
    new ListUserPoolClientsCommand({ UserPoolId: userPoolId, MaxResults: 1 }),
  );
  const ClientId = UserPoolClients[0]?.ClientId;
  const people: Person[] = [];
  for (const [organisation_id, role] of [
    [1, "super-admin"],
    [2, "super-admin"],
    [1842, "super-admin"],
    [1, "staff"],
  ] as const) {
    const email = `${role}-${organisation_id}@example.org`;
    const password = `Aa1!${randomBytes(12).toString("base64url")}`;
    if (role === "super-admin") {
      const commandLine = ["cli/superAdmin/addSuperAdmin.ts", "--user-pool", userPoolId, "--email", email];
      await run(process.execPath, [...commandLine, "--organisation", String(organisation_id)], environment);
    } else
      await client.send(
        new AdminCreateUserCommand({ UserPoolId: userPoolId, Username: email, TemporaryPassword: password }),
      );
    await client.send(
      new AdminSetUserPasswordCommand({ UserPoolId: userPoolId, Username: email, Password: password, Permanent: true }),
    );
    const AuthParameters = { USERNAME: email, PASSWORD: password };
    const { AuthenticationResult } = await client.send(
      new AdminInitiateAuthCommand({
        UserPoolId: userPoolId,
        ClientId,
        AuthFlow: "ADMIN_USER_PASSWORD_AUTH",
        AuthParameters,
      }),
    );
    people.push({ email, password, organisation_id, role, id_token: AuthenticationResult?.IdToken ?? "" });
  }
  return people;
}

const kinds = [
  { name: "Read only", scopes: ["read"] },
  { name: "All scopes", scopes: [...Scope.options] },
];

/** Creates a read-only key and a key with every scope for the organisation of each super-admin, through the deployed key administration. */
export async function makeKeys(baseUrl: string, people: readonly TokenHolder[]) {
  const organisations = [];
  for (const { organisation_id, id_token } of people.filter(({ role }) => role === "super-admin")) {
    const client = clientOf(baseUrl, id_token);
    const keys = [];
    for (const kind of kinds) {
      const answer = await client.call(createApiKey, createApiKey.path, { body: JSON.stringify(kind) });
      if (answer.status !== 201) throw new Error(`A key was not created: ${answer.status} ${textOf(answer)}`);
      keys.push({ ...kind, key: JSON.parse(textOf(answer)).key });
    }
    organisations.push({ organisation_id, name: `Organisation ${organisation_id}`, keys });
  }
  return organisations;
}
