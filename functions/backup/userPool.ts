import {
  CognitoIdentityProviderClient,
  paginateListUsers,
  paginateListUsersInGroup,
  type UserType,
} from "@aws-sdk/client-cognito-identity-provider";

/** A person as Cognito returns them. It returns neither passwords nor second factors. */
export interface BackedUpPerson {
  username: string | undefined;
  enabled: boolean | undefined;
  /** Such as `CONFIRMED`, or `FORCE_CHANGE_PASSWORD` before the first sign-in. */
  status: string | undefined;
  date_created: string | undefined;
  date_updated: string | undefined;
  attributes: Record<string, string | undefined>;
  groups: string[];
}

/** Cognito's maximum. */
const pageSize = 60;

let client: CognitoIdentityProviderClient | undefined;

/** The process's only client. */
function cognito(): CognitoIdentityProviderClient {
  client ??= new CognitoIdentityProviderClient({
    requestHandler: { connectionTimeout: 5_000, requestTimeout: 10_000, throwOnRequestTimeout: true },
  });
  return client;
}

/** All people of a user pool, and which of them are in the group. */
export async function readPeople(UserPoolId: string, GroupName: string): Promise<BackedUpPerson[]> {
  const config = { client: cognito(), pageSize };
  const members = new Set<string | undefined>();
  for await (const { Users = [] } of paginateListUsersInGroup(config, { UserPoolId, GroupName })) {
    for (const { Username } of Users) members.add(Username);
  }
  const people: BackedUpPerson[] = [];
  for await (const { Users = [] } of paginateListUsers(config, { UserPoolId })) {
    for (const user of Users) people.push(personOf(user, members.has(user.Username) ? [GroupName] : []));
  }
  return people;
}

function personOf(user: UserType, groups: string[]): BackedUpPerson {
  return {
    username: user.Username,
    enabled: user.Enabled,
    status: user.UserStatus,
    date_created: user.UserCreateDate?.toISOString(),
    date_updated: user.UserLastModifiedDate?.toISOString(),
    attributes: Object.fromEntries((user.Attributes ?? []).map(({ Name, Value }) => [Name, Value])),
    groups,
  };
}
