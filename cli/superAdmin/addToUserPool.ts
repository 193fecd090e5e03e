import {
  AdminAddUserToGroupCommand,
  AdminCreateUserCommand,
  AdminGetUserCommand,
  type CognitoIdentityProviderClient,
  UsernameExistsException,
} from "@aws-sdk/client-cognito-identity-provider";
import { defaultClaims } from "../../functions/people/signInSettings.ts";
import { UsageError } from "../../local/usageError.ts";

interface SuperAdmin {
  email: string;
  organisation: number;
  /** The organisation's name, shown in the header of the Developer area. */
  name: string | undefined;
}

/**
 * Makes a person a super-admin of an organisation, creating their user if needed. Sets the organisation before the group, so nobody is
 * ever in the group without the right organisation.
 *
 * @returns whether the user is new.
 * @throws UsageError if the user belongs to another organisation or to none.
 */
export async function addToUserPool(
  client: CognitoIdentityProviderClient,
  UserPoolId: string,
  person: SuperAdmin,
): Promise<boolean> {
  const isNew = await create(client, UserPoolId, person);
  const group = { Username: person.email, GroupName: defaultClaims.superAdminRole };
  await client.send(new AdminAddUserToGroupCommand({ UserPoolId, ...group }));
  return isNew;
}

async function create(client: CognitoIdentityProviderClient, UserPoolId: string, person: SuperAdmin): Promise<boolean> {
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
    return true;
  } catch (error) {
    if (!(error instanceof UsernameExistsException)) throw error;
    await assertOrganisation(client, UserPoolId, person);
    return false;
  }
}

async function assertOrganisation(
  client: CognitoIdentityProviderClient,
  UserPoolId: string,
  { email, organisation }: SuperAdmin,
): Promise<void> {
  const { UserAttributes = [] } = await client.send(new AdminGetUserCommand({ UserPoolId, Username: email }));
  const theirs = UserAttributes.find(({ Name }) => Name === defaultClaims.organisationClaim)?.Value;
  if (theirs === String(organisation)) return;
  const belongs = theirs === undefined ? "has no organisation" : `belongs to organisation ${theirs}`;
  throw new UsageError(`${email} is already in the user pool and ${belongs}. Nothing was changed.`);
}
