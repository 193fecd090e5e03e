import * as z from "zod";
import { apiKeyHolder } from "../api/callers.ts";
import { endpoint } from "../api/endpoint.ts";
import { lambda } from "../api/lambda.ts";
import { idOf } from "../api/pathParameters.ts";
import { Reply, replayed } from "../api/response.ts";
import { dateInFuture, Problem } from "../problem.ts";
import { balanceRepository, maximumRetryMs } from "../records/balanceRepository.ts";
import { BalancePayment, BalancePaymentInput } from "../resources/balancePayment.ts";
import { text } from "../resources/fields.ts";

const maximumKeyLength = 255;

const IdempotencyHeader = z.object({
  "idempotency-key": text(1, maximumKeyLength)
    .optional()
    .meta({
      description: `A unique text of your choice for each new request, up to ${maximumKeyLength} characters. A retry with the same key within 24 hours gets the first response, with \`Idempotency-Replayed: true\`.`,
      examples: ["0c6d3f0e-7f3b-4b1e-9a56-2f4f3c1d8e70"],
    }),
});

export const recordBalancePayment = endpoint(
  {
    operationId: "recordBalancePayment",
    method: "POST",
    path: "/v1/events/{id}/balance-payments",
    tag: "Events",
    summary: "Record a balance payment or refund",
    description:
      "Records an external payment or refund against the event's balance, which is the recorded payments less refunds and independent of orders and buyers' payments. A refund must not exceed the balance. Always send an `Idempotency-Key`, because your HTTP library may repeat the request even if your program does not. Retries with it record nothing more and get the first response, 201 or 409.",
    caller: apiKeyHolder("write:balance_payments"),
    tableAccess: "balanceRecording",
    table: ["BatchGetItem", "GetItem", "TransactWriteItems", "UpdateItem"],
    repositories: { balancePayments: balanceRepository },
    params: idOf("event"),
    headers: IdempotencyHeader,
    body: BalancePaymentInput,
    status: 201,
    response: BalancePayment,
    responseHeaders: ["Location", "Idempotency-Replayed"],
    refusal: { when: "`date` is more than a day ahead.", problem: dateInFuture() },
    conflict: "The refund exceeds the recorded balance.",
    timeoutMs: maximumRetryMs + 5_000,
  },
  async ({ params, headers, body, principal }, { balancePayments }) => {
    const { keyId, keyPrefix } = principal;
    const recorder = { keyId, keyPrefix, idempotencyKey: headers["idempotency-key"] };
    const { outcome, isReplayed } = await balancePayments.record(params.id, body, recorder);
    if ("refused" in outcome) throw new Problem("conflict", outcome.refused, {}, { headers: replayed(isReplayed) });
    return new Reply(outcome.recorded, { Location: `/v1/events/${params.id}/balance-payments` }, isReplayed);
  },
);

export const handler = lambda(recordBalancePayment);
