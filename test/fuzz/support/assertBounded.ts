import assert from "node:assert/strict";
import type { APIGatewayProxyEvent, APIGatewayProxyResult, Context } from "aws-lambda";
import type { LambdaHandler } from "../../../functions/api/lambda.ts";
import { assertProblem } from "../../support/http/assertProblem.ts";

const maximumProblemBytes = 16 * 1024;
const context = { getRemainingTimeInMillis: () => 8_000 } as unknown as Context;

/** Calls a handler and asserts that it does not fail and that an error has the API's shape and at most 16 KB. */
export async function assertBounded(
  handler: LambdaHandler,
  event: APIGatewayProxyEvent,
): Promise<APIGatewayProxyResult> {
  const result = await handler(event, { ...context });
  const { statusCode, headers = {}, body } = result;
  assert.ok(statusCode < 500, `${statusCode}: ${body.slice(0, 300)}`);
  if (statusCode < 400) return result;
  const bytes = Buffer.byteLength(body);
  assert.ok(bytes <= maximumProblemBytes, `A problem of ${bytes} bytes: ${body.slice(0, 300)}`);
  const lowerCase = Object.entries(headers).map(([name, value]) => [name.toLowerCase(), String(value)]);
  assertProblem({ status: statusCode, headers: Object.fromEntries(lowerCase), body: Buffer.from(body) });
  return result;
}
