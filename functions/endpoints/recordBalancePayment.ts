import * as z from "zod";
import { balancePaymentRepository } from "../data/repositories/balancePaymentRepository.ts";
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
      "Records a payment that happened elsewhere against the event's balance, or a refund of no more than what was recorded less refunds. Send an `Idempotency-Key`: with it, a retry after whatever went wrong records once, and gets the first answer again, be it a refusal.",
    caller: apiKeyHolder("write:balance_payments"),
    table: ["BatchGetItem", "TransactWriteItems"],
    repositories: { balancePayments: balancePaymentRepository },
    params: z.object({ id: resourceId("event") }),
    headers: IdempotencyHeader,
    body: NewBalancePayment,
    status: 201,
    response: BalancePayment,
    responseHeaders: ["Location", "Idempotency-Replayed"],
    conflict: "The refund is above what was recorded less refunds.",
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
