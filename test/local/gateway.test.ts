import assert from "node:assert/strict";
import { test } from "@jest/globals";
import { functionTimeoutMs } from "../../functions/api/lambda.ts";
import { testWebhook } from "../../functions/endpoints/testWebhook.ts";
import { receiverTimeoutMs } from "../../functions/webhooks/receiver.ts";
import { gatewayOf } from "../../local/gateway.ts";

test("an endpoint with a longer timeout also has it locally", () => {
  const authorizer = { pattern: /^/, authorize: () => assert.fail() } as never;
  const authorizers = { apiKey: authorizer, superAdmin: authorizer };
  const { routes } = gatewayOf([testWebhook], () => assert.fail as never, authorizers);
  assert.deepEqual(
    routes.map(({ timeoutMs }) => timeoutMs),
    [20_000],
  );
  assert.ok(20_000 >= receiverTimeoutMs + functionTimeoutMs, "The receiver's time comes on top of the function's own.");
});
