import { Refusal, startFakeAws } from "./fakeAws.ts";

type Json = ReturnType<typeof JSON.parse>;

interface Person {
  attributes: Record<string, string>;
  groups: string[];
  enabled?: boolean;
}

/** The part of a user pool that this service uses. */
export interface FakeUserPool {
  id: string;
  /** By username. */
  people: Map<string, Person>;
  /** The actions that were called, in order. */
  calls: string[];
  /** Makes a process call this server. */
  environment: NodeJS.ProcessEnv;
  close: () => Promise<void>;
}

/** Starts a server that responds like Cognito (https://docs.aws.amazon.com/cognito-user-identity-pools/latest/APIReference/Welcome.html). */
export async function startFakeUserPool(largestPage = 60): Promise<FakeUserPool> {
  const aws = await startFakeAws();
  const { calls, environment, close } = aws;
  const pool: FakeUserPool = { id: "eu-west-1_aBcDeFgHi", people: new Map(), calls, environment, close };
  const answers = { ...administration(pool), ...lists(pool, largestPage) };
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
    AdminCreateUser: ({ Username, UserAttributes }) => {
      if (people.has(Username)) return new Refusal("UsernameExistsException", "User account already exists");
      const pairs = UserAttributes.map(({ Name, Value }: { Name: string; Value: string }) => [Name, Value]);
      people.set(Username, { attributes: Object.fromEntries(pairs), groups: [] });
      return { User: { Username } };
    },
    AdminGetUser: known(({ attributes }, { Username }) => ({ Username, UserAttributes: listOf(attributes) })),
    AdminAddUserToGroup: known(({ groups }, { GroupName }) => {
      groups.push(GroupName);
      return {};
    }),
  };
}

function lists({ people }: FakeUserPool, largestPage: number): Answers {
  const page = (found: [string, Person][], { Limit = 60, ...input }: Json, tokenName: string) => {
    if (Limit > 60) return new Refusal("InvalidParameterException", "Limit must be at most 60.");
    const start = Number(input[tokenName] ?? 0);
    const end = start + Math.min(largestPage, Limit);
    const Users = found.slice(start, end).map(([Username, { attributes, enabled = true }]) => ({
      Username,
      Enabled: enabled,
      UserStatus: "CONFIRMED",
      UserCreateDate: 1_772_330_400,
      UserLastModifiedDate: 1_772_334_000.5,
      Attributes: listOf({ sub: Username, ...attributes }),
    }));
    return { Users, ...(end < found.length && { [tokenName]: String(end) }) };
  };
  return {
    ListUsers: (input) => page([...people], input, "PaginationToken"),
    ListUsersInGroup: (input) =>
      page(
        [...people].filter(([, { groups }]) => groups.includes(input.GroupName)),
        input,
        "NextToken",
      ),
  };
}

function listOf(attributes: Record<string, string>) {
  return Object.entries(attributes).map(([Name, Value]) => ({ Name, Value }));
}
