import {
  CognitoIdentityProviderClient,
  paginateListUsers,
  paginateListUsersInGroup,
  type UserType,
} from "@aws-sdk/client-cognito-identity-provider";

/** Cognito's maximum. */
const pageSize = 60;

let client: CognitoIdentityProviderClient | undefined;

/** All people of a user pool, and which of them are in the group. Cognito returns neither passwords nor second factors. */
export async function readPeople(UserPoolId: string, GroupName: string) {
  client ??= new CognitoIdentityProviderClient({
    requestHandler: { connectionTimeout: 5_000, requestTimeout: 10_000, throwOnRequestTimeout: true },
  });
  const config = { client, pageSize };
  const members = new Set<string | undefined>();
  for await (const { Users = [] } of paginateListUsersInGroup(config, { UserPoolId, GroupName })) {
    for (const { Username } of Users) members.add(Username);
  }
  const people = [];
  for await (const { Users = [] } of paginateListUsers(config, { UserPoolId })) {
    for (const user of Users) people.push(personOf(user, members.has(user.Username) ? [GroupName] : []));
  }
  return people;
}

function personOf(user: UserType, groups: string[]) {
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
