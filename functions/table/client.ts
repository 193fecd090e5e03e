import type { Readable } from "node:stream";
import { text } from "node:stream/consumers";
import { DynamoDBClient } from "@aws-sdk/client-dynamodb";
import * as documents from "@aws-sdk/lib-dynamodb";
import type { DeserializeMiddleware, HttpResponse, MetadataBearer } from "@smithy/types";
import { timeoutMs } from "./clock.ts";

type Client = documents.DynamoDBDocumentClient;

const commands = {
  BatchGetItem: documents.BatchGetCommand,
  BatchWriteItem: documents.BatchWriteCommand,
  ExecuteStatement: documents.ExecuteStatementCommand,
  GetItem: documents.GetCommand,
  PutItem: documents.PutCommand,
  Query: documents.QueryCommand,
  TransactWriteItems: documents.TransactWriteCommand,
  UpdateItem: documents.UpdateCommand,
};
type Commands = typeof commands;
export type Operation = keyof Commands;
export type Input<Name extends Operation> = InstanceType<Commands[Name]>["input"];
/** `date` is the `Date` of the response. */
export type Output<Name extends Operation> = Awaited<
  ReturnType<ReturnType<InstanceType<Commands[Name]>["resolveMiddleware"]>>
>["output"] & { $metadata: { date?: string | undefined } };

const clients: Partial<Record<number, Client>> = {};

/**
 * The process's document client, created on first use. It keeps its connections open.
 * @param maxAttempts three attempts of a second each, with their pauses, stay far below the gateway's 29 seconds.
 */
export function documentClient(maxAttempts = 3): Client {
  clients[maxAttempts] ??= makeClient(maxAttempts);
  return clients[maxAttempts];
}

function makeClient(maxAttempts: number): Client {
  const requestHandler = { requestTimeout: timeoutMs(), throwOnRequestTimeout: true };
  const client = new DynamoDBClient({ maxAttempts, requestHandler });
  client.middlewareStack.addRelativeTo(readBody, { relation: "after", toMiddleware: "deserializerMiddleware" });
  client.middlewareStack.add(addDate, { step: "deserialize", priority: "high" });
  return documents.DynamoDBDocumentClient.from(client, {
    marshallOptions: { removeUndefinedValues: true, allowImpreciseNumbers: true },
    unmarshallOptions: { wrapNumbers: Number },
  });
}

export function send<Name extends Operation>(
  operation: Name,
  input: Input<Name>,
  maxAttempts?: number,
): Promise<Output<Name>> {
  // TypeScript does not see that an operation's command takes its input and returns its output.
  const Command = commands[operation] as unknown as new (input: Input<Name>) => documents.GetCommand;
  return documentClient(maxAttempts).send(new Command(input)) as Promise<Output<Name>>;
}

/**
 * Reads a whole response within the time-out, which the SDK's handler applies to the first byte. A 200 without a JSON object is a failure; the SDK would
 * take an empty one for "no such item", or for a completed write.
 */
const readBody: DeserializeMiddleware<object, MetadataBearer> = (next) => async (args) => {
  const startedMs = performance.now();
  const result = await next(args);
  const response = result.response as HttpResponse;
  const stream: Readable = response.body;
  // Not AbortSignal.timeout: its timer would stay until the time-out, thousands of them during an import.
  const deadline = setTimeout(() => stream.destroy(), timeoutMs() - (performance.now() - startedMs));
  const body = await text(stream)
    .catch(() => undefined)
    .finally(() => clearTimeout(deadline));
  if (body === undefined || (response.statusCode === 200 && !isJsonObject(body)))
    throw Object.assign(new Error("DynamoDB's response was cut off or damaged."), retryable);
  return { response: Object.assign(response, { body: Buffer.from(body) }) };
};

/** toTableError also recognises it, by its name. */
const retryable = { name: "ServiceUnavailable", $retryable: {} };

function isJsonObject(body: string): boolean {
  try {
    return body.startsWith("{") && JSON.parse(body) !== undefined;
  } catch {
    return false;
  }
}

/** The SDK omits the `Date` of a response. */
const addDate: DeserializeMiddleware<object, MetadataBearer> = (next) => async (args) => {
  const { response, output } = await next(args);
  if (output) Object.assign(output.$metadata, { date: (response as HttpResponse).headers.date });
  return { response, output };
};
