import * as z from "zod";
import { BalancePayment } from "./balancePayment.ts";
import { exampleOf } from "./exampleOf.ts";
import { Instant } from "./instant.ts";
import { Id } from "./resourceId.ts";

/** Members of every event. */
const envelope = {
  schema_version: z.literal(1).meta({ description: "Increased when a change would break readers of this version." }),
  id: z.string().meta({ description: "Event id. A repeated delivery has the same id." }),
  organisation_id: Id.meta({ description: "Id of the organisation whose data changed." }),
};
const exampleEnvelope = { schema_version: 1, id: "c81e728d9d4c2f636f067f89cc14862c", organisation_id: 1842 };

/** Sent when the API records a balance payment or refund. */
export const BalancePaymentRecorded = z
  .object({ ...envelope, balance_payment: BalancePayment.meta({ description: "The balance payment as in the API." }) })
  .meta({
    get examples() {
      return [{ ...exampleEnvelope, balance_payment: exampleOf(BalancePayment) }];
    },
  });

/** Sent when the API sets or removes an order's note. */
export const OrderNoteUpdated = z
  .object({
    ...envelope,
    order_id: Id.meta({ description: "Id of the order." }),
    event_id: Id.meta({ description: "Id of the order's event." }),
    date_id: Id.meta({ description: "Id of the order's event date." }),
    admin_note: z.string().nullable().meta({ description: "The new note; null if it was removed." }),
    date_modified: Instant.meta({
      description: "When the note changed. Of two events for one order, the later one wins.",
    }),
  })
  .meta({
    examples: [
      {
        ...exampleEnvelope,
        order_id: 90211,
        event_id: 15082,
        date_id: 1508201,
        admin_note: "Wheelchair place",
        date_modified: "2025-11-03T09:12:44.021Z",
      },
    ],
  });

/** An event sent through EventBridge. */
export type OutgoingEvent =
  | { detail_type: "ticketing.balance_payment_recorded"; detail: z.infer<typeof BalancePaymentRecorded> }
  | { detail_type: "ticketing.order_note_updated"; detail: z.infer<typeof OrderNoteUpdated> };
