import * as z from "zod";
import { Instant } from "../values/instant.ts";
import { caseless } from "../values/lookUp.ts";
import { Id, timeOf } from "./fields.ts";
import { byId, latestFirst, resource } from "./resource.ts";

const Answer = z
  .object({
    question_id: Id.meta({ description: "Question id." }),
    question: z.string().meta({ description: "The question." }),
    answer: z.string().nullable().meta({ description: "The answer; null if not answered." }),
  })
  .meta({ id: "AttendeeAnswer", description: "A question put to an attendee, with the answer." });

export const Attendee = z
  .object({
    id: Id.meta({ description: "Attendee id." }),
    order_id: Id.meta({ description: "Id of the ticket's order." }),
    ticket_id: Id.meta({ description: "Id of the attendee's ticket." }),
    event_id: Id.meta({ description: "Id of the event." }),
    date_id: Id.meta({ description: "Id of the event date." }),
    ticket_category_id: Id.meta({ description: "Id of the ticket's category." }),
    status: z.string().meta({ description: "State of the attendee, in the organisation's own words." }),
    first_name: z.string().nullable().meta({ description: "First name." }),
    last_name: z.string().nullable().meta({ description: "Last name." }),
    email: z.string().nullable().meta({ description: "E-mail address." }),
    phone: z.string().nullable().meta({ description: "Telephone number." }),
    answers: z.array(Answer).meta({ description: "Questions put to the attendee, with the answers." }),
    checked_in: z.boolean().meta({ description: "True when the attendee was checked in at the door." }),
    date_checked_in: Instant.nullable().meta(timeOf("When the attendee was checked in, if they were.")),
    date_created: Instant.meta(timeOf("Creation time, ISO 8601.")),
    date_modified: Instant.meta(timeOf("Time of the last change, ISO 8601.")),
  })
  .meta({
    id: "Attendee",
    description: "A person who attends with a ticket.",
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

export const attendees = resource({
  type: "attendee",
  schema: Attendee,
  short: ["id", "order_id", "ticket_id", "status", "first_name", "last_name", "checked_in"],
  lists: {
    ofDate: { index: "GSI1", under: "event_date", field: "date_id", order: byId },
    ofOrder: { index: "GSI2", under: "order", field: "order_id", order: byId },
    byEmail: {
      index: "GSI4",
      lookUp: "email",
      description: "Only attendees with this e-mail address, ignoring case.",
      normalise: caseless,
      order: latestFirst("date_created"),
    },
  },
});
