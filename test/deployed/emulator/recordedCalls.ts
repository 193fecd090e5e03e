import { readFileSync } from "node:fs";
import * as z from "zod";
import { isOfCdk, stableName } from "./functionRoles.ts";

/*
 * The calls of AWS that the deployed functions made, which sitecustomize.py records, and the rights that AWS requires for them.
 */

const RecordedCall = z.object({
  function: z.string(),
  method: z.string(),
  path: z.string(),
  query: z.record(z.string(), z.array(z.string())),
  /** The operation of a JSON protocol. */
  target: z.string().nullable(),
  input: z.unknown(),
});
type RecordedCall = z.infer<typeof RecordedCall>;

/** A request to IAM: may this function do this to this resource? */
export interface NeededRight {
  /** The function's {@link stableName}. */
  function: string;
  action: string;
  resource: string;
  /** The partition keys of the items, for actions on items. */
  leadingKeys?: string[];
  /** The attributes that updates name, also in their keys and conditions. */
  attributes?: string[];
}

const place = "eu-west-1:000000000000";

/** The rights that the service's calls in a file need, each once. Numbers and hashes in keys count as equal, because no role names one. */
export function neededRights(file: string): NeededRight[] {
  const lines = readFileSync(file, "utf8").trimEnd().split("\n");
  const calls = lines.map((line) => RecordedCall.parse(JSON.parse(line)));
  const rights = calls
    .filter((call) => !isOfCdk(call.function))
    .flatMap((call) => rightsOf(call).map((right) => ({ function: stableName(call.function), ...right })));
  return [...new Map(rights.map((right) => [JSON.stringify(right), right])).values()];
}

type Right = Omit<NeededRight, "function">;

/** @throws Error for an operation without a known right. */
function rightsOf({ method, path, query, target, input }: RecordedCall): Right[] {
  const [service = "", operation = ""] = target?.split(".") ?? [];
  if (service === "DynamoDB_20120810") return tableRights(operation, input).map(withCommonKeys);
  if (service === "AmazonSQS") {
    const { QueueUrl } = z.object({ QueueUrl: z.url() }).parse(input);
    // A batch needs the right of its single calls.
    const action = operation.replace("Batch", "");
    return [{ action: `sqs:${action}`, resource: `arn:aws:sqs:${place}:${QueueUrl.split("/").at(-1)}` }];
  }
  if (service === "TrentService")
    return [{ action: `kms:${operation}`, resource: z.object({ KeyId: z.string() }).parse(input).KeyId }];
  if (service === "secretsmanager")
    return [
      { action: `secretsmanager:${operation}`, resource: z.object({ SecretId: z.string() }).parse(input).SecretId },
    ];
  if (target === null) return [objectRight(method, path, query)];
  throw new Error(`Which right does ${target} need?`);
}

/** https://docs.aws.amazon.com/AmazonS3/latest/userguide/using-with-s3-policy-actions.html */
function objectRight(method: string, path: string, query: RecordedCall["query"]): Right {
  const [, bucket = "", key = ""] = /^\/([^/]+)\/?(.*)$/.exec(path) ?? [];
  const action =
    key === "" && query["list-type"]
      ? "ListBucket"
      : { GET: "GetObject", HEAD: "GetObject", PUT: "PutObject", DELETE: "DeleteObject" }[method];
  if (action === undefined || (key === "" && action !== "ListBucket"))
    throw new Error(`Which right does ${method} ${path} ${JSON.stringify(query)} need?`);
  return { action: `s3:${action}`, resource: `arn:aws:s3:::${key === "" ? bucket : `${bucket}/${key}`}` };
}

const Text = z.object({ S: z.string() }).transform(({ S }) => S);
const Keyed = z.object({ PK: Text });
const OfItem = z.object({
  TableName: z.string(),
  Key: Keyed.loose().optional(),
  Item: Keyed.optional(),
  UpdateExpression: z.string().optional(),
  ConditionExpression: z.string().optional(),
  ExpressionAttributeNames: z.record(z.string(), z.string()).optional(),
});
type OfItem = z.infer<typeof OfItem>;

const tableArn = (name: string) => `arn:aws:dynamodb:${place}:table/${name}`;

/**
 * The rights of a call of DynamoDB. A batch needs one right for all of its keys; a transaction has no action of its own
 * (https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/transaction-apis-iam.html), nor has a statement
 * (https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/ql-iam.html).
 */
function tableRights(operation: string, input: unknown): Right[] {
  if (operation === "Query") return [queryRight(input)];
  if (operation === "ExecuteStatement") return [statementRight(input)];
  if (operation === "BatchGetItem") {
    const { RequestItems } = z
      .object({ RequestItems: z.record(z.string(), z.object({ Keys: z.array(Keyed) })) })
      .parse(input);
    return Object.entries(RequestItems).map(([name, { Keys }]) => ({
      action: "dynamodb:BatchGetItem",
      resource: tableArn(name),
      leadingKeys: Keys.map(({ PK }) => PK),
    }));
  }
  if (operation === "TransactWriteItems") {
    const { TransactItems } = z.object({ TransactItems: z.array(z.record(z.string(), OfItem)) }).parse(input);
    const writes = TransactItems.flatMap((item) => Object.entries(item));
    return [...Map.groupBy(writes, ([kind]) => (kind === "ConditionCheck" ? "ConditionCheckItem" : `${kind}Item`))].map(
      ([kind, ofKind]) => ({
        action: `dynamodb:${kind}`,
        resource: tableArn(ofKind[0]?.[1].TableName ?? ""),
        leadingKeys: ofKind.map(([, write]) => partitionOf(write)),
        ...updated(ofKind.map(([, write]) => write)),
      }),
    );
  }
  if (!/^(Get|Put|Update|Delete)Item$/.test(operation)) throw new Error(`Which right does ${operation} need?`);
  const single = OfItem.parse(input);
  const leadingKeys = [partitionOf(single)];
  return [{ action: `dynamodb:${operation}`, resource: tableArn(single.TableName), leadingKeys, ...updated([single]) }];
}

const keywords = /^(SET|ADD|REMOVE|DELETE|AND|OR|NOT|BETWEEN|IN)$/;

/**
 * Conditions count like changes: the attributes of a policy "can be read, written, or evaluated in a conditional write"
 * (https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/specifying-conditions.html).
 */
function updated(writes: OfItem[]): Pick<Right, "attributes"> {
  const names = writes.flatMap(
    ({ Key = {}, UpdateExpression = "", ConditionExpression = "", ExpressionAttributeNames = {} }) => {
      if (UpdateExpression === "") return [];
      // Neither a function, a value, an element of a list nor a part of a map.
      const inExpressions = `${UpdateExpression} ${ConditionExpression}`.match(/(?<![\w:#.[])#?\w+\b(?! *\()/g) ?? [];
      const named = inExpressions.filter((name) => !keywords.test(name));
      return [...Object.keys(Key), ...named.map((name) => ExpressionAttributeNames[name] ?? name)];
    },
  );
  return names.length > 0 ? { attributes: [...new Set(names)].toSorted() } : {};
}

function partitionOf({ Key, Item }: OfItem): string {
  const partition = (Key ?? Item)?.PK;
  if (partition === undefined) throw new Error("A call names no item.");
  return partition;
}

function queryRight(input: unknown): Right {
  const query = z
    .object({
      TableName: z.string(),
      IndexName: z.string().optional(),
      KeyConditionExpression: z.string(),
      ExpressionAttributeNames: z.record(z.string(), z.string()).default({}),
      ExpressionAttributeValues: z.record(z.string(), z.unknown()),
    })
    .parse(input);
  const partitionKey = `${query.IndexName ?? ""}PK`;
  const equalities = [...query.KeyConditionExpression.matchAll(/(#?\w+) *= *(:\w+)/g)];
  const [, , value = ""] =
    equalities.find(([, name = ""]) => (query.ExpressionAttributeNames[name] ?? name) === partitionKey) ?? [];
  const index = query.IndexName === undefined ? "" : `/index/${query.IndexName}`;
  return {
    action: "dynamodb:Query",
    resource: `${tableArn(query.TableName)}${index}`,
    leadingKeys: [Text.parse(query.ExpressionAttributeValues[value])],
  };
}

function statementRight(input: unknown): Right {
  const { Statement, Parameters } = z.object({ Statement: z.string(), Parameters: z.array(Text) }).parse(input);
  const [, table, index] = /^SELECT .* FROM "([^"]+)"\."([^"]+)" WHERE "\w+PK" IN \[[?,]+\]$/.exec(Statement) ?? [];
  if (table === undefined) throw new Error(`Which right does ${Statement} need?`);
  return { action: "dynamodb:PartiQLSelect", resource: `${tableArn(table)}/index/${index}`, leadingKeys: Parameters };
}

function withCommonKeys({ leadingKeys, ...right }: Right): Right {
  const common = (leadingKeys ?? []).map((key) => key.replaceAll(/[0-9a-z-]*\d[0-9a-z-]*/g, "1"));
  return { ...right, leadingKeys: [...new Set(common)].toSorted() };
}
