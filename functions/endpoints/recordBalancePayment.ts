import * as z from "zod";
import { balanceRepository } from "../data/repositories/balanceRepository.ts";
import { apiKeyHolder } from "../http/callers/apiKeyHolder.ts";
import { endpoint } from "../http/endpoint.ts";
import { lambda } from "../http/lambda.ts";
import { Reply } from "../http/reply.ts";
import { IdempotencyHeader } from "../http/requestHeaders.ts";
import { Problem } from "../problem.ts";
import { BalancePayment, NewBalancePayment } from "../resources/balancePayment.ts";
import { resourceId } from "../resources/resourceId.ts";

export const recordBalancePayment = endpoint(
  {
    operationId: "recordBalancePayment",
    method: "POST",
    path: "/v1/events/{id}/balance-payments",
    summary: "Record a balance payment or refund",
    description:
      "Records an external payment or refund against the event's balance. A refund must not exceed the recorded balance: payments less refunds. Send an `Idempotency-Key`, so that retries record only once and get the first response again, 201 or 409.",
    caller: apiKeyHolder("write:balance_payments"),
    table: ["BatchGetItem", "TransactWriteItems", "UpdateItem"],
    repositories: { balancePayments: balanceRepository },
    params: z.object({ id: resourceId("event") }),
    headers: IdempotencyHeader,
    body: NewBalancePayment,
    status: 201,
    response: BalancePayment,
    responseHeaders: ["Location", "Idempotency-Replayed"],
    conflict: "The refund exceeds the recorded balance.",
  },
  async ({ params, headers, body, principal }, { balancePayments }) => {
    const { keyId, keyPrefix } = principal;
    const recorder = { keyId, keyPrefix, idempotencyKey: headers["idempotency-key"] };
    const { outcome, isReplayed } = await balancePayments.record(params.id, body, recorder);
    const replayed: Record<string, string> = isReplayed ? { "Idempotency-Replayed": "true" } : {};
    if ("refused" in outcome) throw new Problem("conflict", outcome.refused, {}, { headers: replayed });
    return new Reply(outcome.recorded, { Location: `/v1/events/${params.id}/balance-payments`, ...replayed });
  },
);

export const handler = lambda(recordBalancePayment);
