import { once } from "node:events";
import { createServer } from "node:http";
import { text } from "node:stream/consumers";
import { portOf } from "../../../local/gateway/server.ts";

type Json = ReturnType<typeof JSON.parse>;

export interface FakeUserPool {
  id: string;
  /** People by username. */
  people: Map<string, { attributes: Record<string, string>; groups: string[]; enabled?: boolean }>;
  /** The actions that were called, in order. */
  calls: string[];
  close: () => Promise<void>;
}

/** Starts a server that lists people like Cognito, in pages, and points this process's client at it. */
export async function useFakeUserPool(largestPage = 60): Promise<FakeUserPool> {
  const pool: Omit<FakeUserPool, "close"> = { id: "eu-west-1_aBcDeFgHi", people: new Map(), calls: [] };
  const server = createServer(async (incoming, outgoing) => {
    const action = String(incoming.headers["x-amz-target"]).split(".")[1] ?? "";
    pool.calls.push(action);
    const body = answerTo(pool, largestPage, action, JSON.parse(await text(incoming)));
    outgoing.writeHead("__type" in body ? 400 : 200, { "Content-Type": "application/x-amz-json-1.1" });
    outgoing.end(JSON.stringify(body));
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  Object.assign(process.env, {
    AWS_ENDPOINT_URL_COGNITO_IDENTITY_PROVIDER: `http://127.0.0.1:${portOf(server)}`,
    AWS_REGION: "eu-west-1",
    AWS_ACCESS_KEY_ID: "test",
    AWS_SECRET_ACCESS_KEY: "test",
  });
  const close = async () => {
    server.closeAllConnections();
    await once(server.close(), "close");
  };
  return Object.assign(pool, { close });
}

/** https://docs.aws.amazon.com/cognito-user-identity-pools/latest/APIReference/API_ListUsers.html, and ListUsersInGroup. */
function answerTo(pool: Omit<FakeUserPool, "close">, largestPage: number, action: string, input: Json): object {
  if (input.UserPoolId !== pool.id) return { __type: "ResourceNotFoundException", message: "The pool does not exist." };
  const isOfGroup = action === "ListUsersInGroup";
  if (!isOfGroup && action !== "ListUsers") return { __type: "UnknownOperationException" };
  if (input.Limit > 60) return { __type: "InvalidParameterException", message: "Limit must be at most 60." };
  const tokenName = isOfGroup ? "NextToken" : "PaginationToken";
  const found = [...pool.people].filter(([, { groups }]) => !isOfGroup || groups.includes(input.GroupName));
  const start = Number(input[tokenName] ?? 0);
  const end = start + Math.min(largestPage, input.Limit ?? 60);
  const Users = found.slice(start, end).map(([Username, { attributes, enabled = true }]) => ({
    Username,
    Enabled: enabled,
    UserStatus: "CONFIRMED",
    UserCreateDate: 1_772_330_400,
    UserLastModifiedDate: 1_772_334_000.5,
    Attributes: Object.entries({ sub: Username, ...attributes }).map(([Name, Value]) => ({ Name, Value })),
  }));
  return { Users, ...(end < found.length && { [tokenName]: String(end) }) };
}
