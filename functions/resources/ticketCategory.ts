import * as z from "zod";
import { Id } from "./fields.ts";
import { lowestFirst, resource } from "./resource.ts";

/** The specification's fields in the specification's order. */
export const TicketCategory = z
  .object({
    id: Id.meta({ description: "Category id; equals `ticket_category_id` on order tickets." }),
    name: z.string().nullable().meta({ description: "Category name." }),
    description: z.string().nullable().meta({ description: "Optional description." }),
    price: z.int().meta({ description: "Price per ticket in pence, at present. A sold ticket has its own `price`." }),
    people: z.int().meta({ description: "Number of people one ticket of this category admits." }),
    sort_index: z.int().meta({ description: "Display order within the event, lowest first." }),
    limit: z.int().nullable().meta({ description: "Maximum number of tickets of this category per order, if set." }),
    minimum_per_order: z
      .int()
      .nullable()
      .meta({ description: "Minimum number of tickets required per order, if set." }),
    hidden: z.boolean().meta({ description: "True when the category is hidden from buyers." }),
  })
  .meta({
    id: "TicketCategory",
    description: "A kind of ticket of an event, with its price.",
    examples: [
      {
        id: 150823,
        name: "Student",
        description: "Student card needed at the door",
        price: 2700,
        people: 1,
        sort_index: 0,
        limit: 2,
        minimum_per_order: 1,
        hidden: false,
      },
    ],
  });
export type TicketCategory = z.infer<typeof TicketCategory>;

export const ticketCategories = resource({
  type: "ticket_category",
  schema: TicketCategory,
  extraFields: { event_id: Id.meta({ description: "Id of the category's event" }) },
  short: ["id", "name", "price", "people", "hidden"],
  lists: { ofEvent: { index: "GSI1", under: "event", field: "event_id", order: lowestFirst("sort_index") } },
});
