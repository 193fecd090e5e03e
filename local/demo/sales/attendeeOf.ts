import type { Attendee } from "../../../functions/resources/attendee.ts";
import type { Ticket } from "../../../functions/resources/ticket.ts";
import type { Chance } from "./chance.ts";
import { nobody, type Person, somebody } from "./people.ts";

/** Of the friends for whom somebody buys a ticket, so many have not said who they are. */
const unknownShare = 0.2;
/** Of those who are asked something, so many answer. */
const answerShare = 0.8;
const answers = ["No", "Yes", "Nei takk", "Saturday, around noon", "Yes, years ago", "Please call me – Å. 🎶"];
const firstQuestionId = 7;

/** A friend of the buyer's, whose name may still be missing. */
export function friend(chance: Chance): Person {
  return chance.happens(unknownShare) ? nobody : somebody(chance);
}

/** The attendee who comes with a ticket, with the answers to the event's questions. */
export function attendeeOf(
  ticket: Ticket,
  { id, ...person }: Person & { id: number },
  questions: string[],
  chance: Chance,
): Attendee {
  return {
    id,
    order_id: ticket.order_id,
    ticket_id: ticket.id,
    event_id: ticket.event_id,
    date_id: ticket.date_id,
    ticket_category_id: ticket.ticket_category_id,
    status: ticket.status !== "valid" ? "cancelled" : person.last_name === null ? "invited" : "confirmed",
    ...person,
    answers: questions.map((question, index) => ({
      question_id: firstQuestionId + index,
      question,
      answer: person.last_name !== null && chance.happens(answerShare) ? chance.pick(answers) : null,
    })),
    checked_in: ticket.checked_in,
    date_checked_in: ticket.date_checked_in,
    date_created: ticket.date_created,
    date_modified: ticket.date_modified,
  };
}
