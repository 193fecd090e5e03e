import { Refusal, startFakeAws } from "./fakeAws.ts";

type Json = ReturnType<typeof JSON.parse>;

interface Person {
  /** The number of first passwords that the person got by e-mail. */
  invitations: number;
  /** The person has signed in and chosen a password. */
  isConfirmed: boolean;
  attributes: Record<string, string>;
  groups: string[];
}

/** The part of a user pool that this service uses. */
export interface FakeUserPool {
  id: string;
  people: Map<string, Person>;
  /** The actions that were called, in order. */
  calls: string[];
  /** Makes a process call this server. */
  environment: NodeJS.ProcessEnv;
  close: () => Promise<void>;
}

/** Starts a server that responds like Cognito (https://docs.aws.amazon.com/cognito-user-identity-pools/latest/APIReference/Welcome.html). */
export async function startFakeUserPool(): Promise<FakeUserPool> {
  const aws = await startFakeAws();
  const { calls, environment, close } = aws;
  const pool: FakeUserPool = { id: "eu-west-1_aBcDeFgHi", people: new Map(), calls, environment, close };
  const answers = administration(pool);
  for (const [action, answer] of Object.entries(answers)) {
    aws.answers[action] = (input) =>
      input.UserPoolId === pool.id
        ? answer(input)
        : new Refusal("ResourceNotFoundException", `User pool ${input.UserPoolId} does not exist.`);
  }
  return pool;
}

type Answers = Record<string, (input: Json) => object>;

function administration({ people }: FakeUserPool): Answers {
  const known = (respond: (person: Person, input: Json) => object) => (input: Json) => {
    const person = people.get(input.Username);
    return person ? respond(person, input) : new Refusal("UserNotFoundException", "User does not exist.");
  };
  return {
    AdminCreateUser: ({ Username, UserAttributes, MessageAction, DesiredDeliveryMediums = ["SMS"] }) => {
      const known = people.get(Username);
      const mails = Number(DesiredDeliveryMediums.includes("EMAIL"));
      if (known && MessageAction === "RESEND") {
        known.invitations += mails;
        return { User: { Username } };
      }
      if (people.has(Username)) return new Refusal("UsernameExistsException", "User account already exists");
      const pairs = UserAttributes.map(({ Name, Value }: { Name: string; Value: string }) => [Name, Value]);
      people.set(Username, {
        attributes: Object.fromEntries(pairs),
        groups: [],
        invitations: mails,
        isConfirmed: false,
      });
      return { User: { Username } };
    },
    AdminGetUser: known(({ attributes, isConfirmed }, { Username }) => ({
      ...{ Username, UserAttributes: listOf(attributes) },
      UserStatus: isConfirmed ? "CONFIRMED" : "FORCE_CHANGE_PASSWORD",
    })),
    AdminAddUserToGroup: known(({ groups }, { GroupName }) => {
      groups.push(GroupName);
      return {};
    }),
  };
}

function listOf(attributes: Record<string, string>) {
  return Object.entries(attributes).map(([Name, Value]) => ({ Name, Value }));
}
