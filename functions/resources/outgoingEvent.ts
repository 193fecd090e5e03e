import * as z from "zod";
import { BalancePayment } from "./balancePayment.ts";
import { exampleOf } from "./exampleOf.ts";
import { Instant } from "./instant.ts";
import { Id } from "./resourceId.ts";

/** What every event says beside its own. */
const envelope = {
  schema_version: z.literal(1).meta({ description: "Another one where a reader of this one would be misled." }),
  id: z.string().meta({ description: "The same where an event comes more than once." }),
  organisation_id: Id.meta({ description: "The organisation whose data was changed." }),
};
const exampleEnvelope = { schema_version: 1, id: "c81e728d9d4c2f636f067f89cc14862c", organisation_id: 1842 };

/** A payment or refund was recorded through the API. */
export const BalancePaymentRecorded = z
  .object({ ...envelope, balance_payment: BalancePayment.meta({ description: "As the API shows it." }) })
  .meta({
    get examples() {
      return [{ ...exampleEnvelope, balance_payment: exampleOf(BalancePayment) }];
    },
  });

/** The note of an order was set, or taken away, through the API. */
export const OrderNoteUpdated = z
  .object({
    ...envelope,
    order_id: Id.meta({ description: "The order." }),
    event_id: Id.meta({ description: "The event that the order is for." }),
    date_id: Id.meta({ description: "The event date that it is for." }),
    admin_note: z.string().nullable().meta({ description: "The note now; null where it was taken away." }),
    date_modified: Instant.meta({ description: "When that was: of two events of one order, the later one counts." }),
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

/** What leaves through EventBridge, by its detail type there. */
export const outgoingEvents = {
  "ticketing.balance_payment_recorded": BalancePaymentRecorded,
  "ticketing.order_note_updated": OrderNoteUpdated,
} as const;

/** An event on its way out. */
export type OutgoingEvent =
  | { detail_type: "ticketing.balance_payment_recorded"; detail: z.infer<typeof BalancePaymentRecorded> }
  | { detail_type: "ticketing.order_note_updated"; detail: z.infer<typeof OrderNoteUpdated> };
