import { test } from "@jest/globals";
import {
  type Attempt,
  CursorExpiredError,
  recordBalancePayment,
  syncChanges,
  type TicketingClient,
  TicketingError,
  ticketingClient,
} from "../index.ts";
import { assertMeetsFaults, type Met } from "./support/faultServer.ts";
import { type Fault, faults, type Outcome, type Seen } from "./support/faults.ts";

test("the client meets each fault as all clients do", () =>
  assertMeetsFaults(async (urls) => {
    const met: Met[] = [];
    for (const [index, fault] of faults.entries()) {
      const attempts: Attempt[] = [];
      const client = ticketingClient({
        baseUrl: urls[index] ?? "",
        apiKey: "tsk_test",
        timeoutMs: fault.timeoutMs,
        wait: async () => {},
        onAttempt: (attempt) => attempts.push(attempt),
      });
      const outcome = await outcomeOf(client, fault);
      const retriesIn = attempts.flatMap(({ retryInMs }) => (retryInMs === undefined ? [] : retryInMs / 1_000));
      met.push({ outcome, seen: attempts.map(seenIn), retriesIn });
    }
    return met;
  }));

/** A read is of changes if their cursor expires, since only these can. */
async function outcomeOf(client: TicketingClient, { call, name }: Fault): Promise<Outcome> {
  try {
    const path = { id: 1 };
    if (call === "record") await recordBalancePayment(client, 1, { type: "payment", amount: 1250 });
    else if (call === "update") await client.PATCH("/v1/orders/{id}", { params: { path }, body: { admin_note: null } });
    else if (name === "an expired cursor") await syncChanges(client).next();
    else await client.GET("/v1/events/{id}", { params: { path } });
    return { ok: true };
  } catch (error) {
    if (!(error instanceof TicketingError)) return { lost: true };
    return { status: error.status, code: error.code ?? null, isExpired: error instanceof CursorExpiredError };
  }
}

function seenIn({ status, error }: Attempt): Seen {
  if (status === undefined) return "lost";
  return error instanceof TicketingError ? "unreadable" : status;
}
