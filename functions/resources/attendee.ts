import * as z from "zod";
import { Instant } from "./instant.ts";
import { Id } from "./resourceId.ts";

const Answer = z
  .object({
    question_id: Id.meta({ description: "Question id." }),
    question: z.string().meta({ description: "What was asked." }),
    answer: z.string().nullable().meta({ description: "What was answered; null where nothing was." }),
  })
  .meta({ id: "AttendeeAnswer", description: "An answer that was given for an attendee." });

/** Somebody who comes with a ticket. */
export const Attendee = z
  .object({
    id: Id.meta({ description: "Attendee id." }),
    order_id: Id.meta({ description: "The order that the ticket belongs to." }),
    ticket_id: Id.meta({ description: "The ticket that the attendee holds." }),
    event_id: Id.meta({ description: "The event that the ticket is for." }),
    date_id: Id.meta({ description: "The event date that the ticket is for." }),
    ticket_category_id: Id.meta({ description: "The ticket's category." }),
    status: z.string().meta({ description: "Whether the attendee comes, in the organisation's own words." }),
    first_name: z.string().nullable().meta({ description: "First name." }),
    last_name: z.string().nullable().meta({ description: "Last name." }),
    email: z.string().nullable().meta({ description: "E-mail address." }),
    phone: z.string().nullable().meta({ description: "Telephone number." }),
    answers: z.array(Answer).meta({ description: "What was asked of the attendee, with the answers." }),
    checked_in: z.boolean().meta({ description: "True when the attendee was seen at the door." }),
    date_checked_in: Instant.nullable().meta({ description: "When the attendee was seen at the door." }),
    date_created: Instant.meta({ description: "When the attendee was named, ISO 8601." }),
    date_modified: Instant.meta({ description: "When that was last changed, ISO 8601." }),
  })
  .meta({
    id: "Attendee",
    description: "A person who comes with a ticket.",
    examples: [
      {
        id: 733106,
        order_id: 90211,
        ticket_id: 733105,
        event_id: 15082,
        date_id: 1508201,
        ticket_category_id: 150823,
        status: "confirmed",
        first_name: "Ada",
        last_name: "Byron",
        email: "ada@example.org",
        phone: null,
        answers: [{ question_id: 7, question: "Do you need a wheelchair place?", answer: "No" }],
        checked_in: false,
        date_checked_in: null,
        date_created: "2025-10-02T18:21:07Z",
        date_modified: "2025-10-02T18:21:07Z",
      },
    ],
  });
export type Attendee = z.infer<typeof Attendee>;
