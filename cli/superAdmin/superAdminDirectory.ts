import {
  AdminAddUserToGroupCommand,
  AdminCreateUserCommand,
  AdminGetUserCommand,
  type CognitoIdentityProviderClient,
  UsernameExistsException,
} from "@aws-sdk/client-cognito-identity-provider";
import { defaultClaims } from "../../functions/auth/signInSettings.ts";
import { UsageError } from "../../local/usageError.ts";

/** An organisation; the name is shown in the header of the Developer area. */
interface Organisation {
  id: number;
  name: string | undefined;
}

/** Adds super-admins to a user pool. */
export function superAdminDirectory(client: CognitoIdentityProviderClient, UserPoolId: string, GroupName: string) {
  /** Sets the organisation before the group, so nobody is ever in the group without the right organisation. */
  async function add(email: string, organisation: Organisation): Promise<boolean> {
    const isNew = await create(email, organisation);
    await client.send(new AdminAddUserToGroupCommand({ UserPoolId, Username: email, GroupName }));
    return isNew;
  }

  async function create(email: string, { id, name }: Organisation): Promise<boolean> {
    const UserAttributes = [
      { Name: "email", Value: email },
      // Reading the first password there proves ownership of the address.
      { Name: "email_verified", Value: "true" },
      { Name: defaultClaims.organisationClaim, Value: String(id) },
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
      await assertOrganisation(email, id);
      return false;
    }
  }

  async function assertOrganisation(email: string, organisationId: number): Promise<void> {
    const { UserAttributes = [] } = await client.send(new AdminGetUserCommand({ UserPoolId, Username: email }));
    const theirs = UserAttributes.find(({ Name }) => Name === defaultClaims.organisationClaim)?.Value;
    if (theirs === String(organisationId)) return;
    const belongs = theirs === undefined ? "has no organisation" : `belongs to organisation ${theirs}`;
    throw new UsageError(`${email} is already in the user pool and ${belongs}. Nothing was changed.`);
  }

  return {
    /**
     * Makes a person a super-admin of an organisation, creating their user if needed.
     * @returns whether the user is new.
     * @throws UsageError if the user belongs to another organisation or to none.
     */
    add,
  };
}
