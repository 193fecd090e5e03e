import { DynamoDBDocumentClient } from "@aws-sdk/lib-dynamodb";
import { jest } from "@jest/globals";

/** A call as the document client gets it. */
export interface DocumentCall {
  /** `PutCommand` */
  name: string;
  input: { Item?: Record<string, unknown> };
}

/** Handles all calls to DynamoDB from this process, until mocks are restored. `send` makes the call. */
export function interceptCalls(handle: (call: DocumentCall, send: () => Promise<unknown>) => Promise<unknown>): void {
  // The document client makes first tries, too, because only the SDK knows what this setting means.
  process.env.AWS_USE_DUALSTACK_ENDPOINT = "false";
  const { prototype } = DynamoDBDocumentClient as unknown as {
    prototype: { send: (...call: unknown[]) => Promise<unknown> };
  };
  const { send } = prototype;
  jest.spyOn(prototype, "send").mockImplementation(async function (this: unknown, ...call: unknown[]) {
    const command = Object(call[0]);
    return await handle({ name: command.constructor.name, input: command.input }, () => send.apply(this, call));
  });
}
