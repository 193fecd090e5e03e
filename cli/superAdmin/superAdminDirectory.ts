import {
  AdminAddUserToGroupCommand,
  AdminCreateUserCommand,
  AdminGetUserCommand,
  type CognitoIdentityProviderClient,
  UsernameExistsException,
} from "@aws-sdk/client-cognito-identity-provider";
import { defaultClaims } from "../../functions/auth/signInSettings.ts";
import { UsageError } from "../../local/usageError.ts";

/** The people of a user pool, as far as they are to be super-admins. */
export function superAdminDirectory(client: CognitoIdentityProviderClient, UserPoolId: string, GroupName: string) {
  /** The organisation first, then the group: somebody who is in the group only has no organisation, and so may do nothing. */
  async function add(email: string, organisationId: number): Promise<boolean> {
    const isNew = await create(email, organisationId);
    await client.send(new AdminAddUserToGroupCommand({ UserPoolId, Username: email, GroupName }));
    return isNew;
  }

  async function create(email: string, organisationId: number): Promise<boolean> {
    const UserAttributes = [
      { Name: "email", Value: email },
      // Whoever can read the first password there owns the address.
      { Name: "email_verified", Value: "true" },
      { Name: defaultClaims.organisationClaim, Value: String(organisationId) },
    ];
    const DesiredDeliveryMediums: ["EMAIL"] = ["EMAIL"];
    try {
      await client.send(
        new AdminCreateUserCommand({ UserPoolId, Username: email, UserAttributes, DesiredDeliveryMediums }),
      );
      return true;
    } catch (error) {
      if (!(error instanceof UsernameExistsException)) throw error;
      await assertOrganisation(email, organisationId);
      return false;
    }
  }

  async function assertOrganisation(email: string, organisationId: number): Promise<void> {
    const { UserAttributes = [] } = await client.send(new AdminGetUserCommand({ UserPoolId, Username: email }));
    const theirs = UserAttributes.find(({ Name }) => Name === defaultClaims.organisationClaim)?.Value;
    if (theirs === String(organisationId)) return;
    const belongs = theirs === undefined ? "has no organisation" : `belongs to organisation ${theirs}`;
    throw new UsageError(`${email} is in the user pool already, and ${belongs}. Nothing was changed.`);
  }

  return {
    /**
     * Makes a person a super-admin of an organisation, and a user of the pool where they are none yet.
     * @returns whether they are new to the pool.
     * @throws UsageError where they are there with another organisation.
     */
    add,
  };
}
