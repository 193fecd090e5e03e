import * as z from "zod";
import { ChangeKey, ChangeKind, keyOf } from "../changes/change.ts";
import { Id } from "../resources/fields.ts";
import { changingTypes } from "../resources/index.ts";
import { ServiceTime } from "../values/instant.ts";

const organisation_id = Id.meta({ description: "The webhook's organisation." });

export const WebhookChange = z
  .object({
    type: z.enum(changingTypes).meta({ description: "The kind of resource." }),
    id: Id.meta({ description: "The resource's id." }),
    event_id: Id.nullable().optional().meta({
      description:
        "Only for `ticket_category` and `balance_payment`, which are read as lists of their event; null if the resource was deleted.",
    }),
    change: ChangeKind,
    changed_at: ServiceTime.meta({ description: "When this service accepted the change." }),
    key: ChangeKey,
  })
  .meta({ id: "WebhookChange", description: "Which resource changed. Read it with an API key." });
export type WebhookChange = z.output<typeof WebhookChange>;

const examplePlaces: Omit<WebhookChange, "key">[] = [
  { type: "order", id: 90211, change: "upserted", changed_at: "2026-11-23T10:00:00.120Z" },
  {
    type: "balance_payment",
    id: 108427526232226,
    event_id: 15082,
    change: "upserted",
    changed_at: "2026-11-23T10:00:01.004Z",
  },
];
const exampleChanges = examplePlaces.map((change) => ({ ...change, key: keyOf(change) }));

const data = z.object({ organisation_id });
const Data = data.meta({ id: "MessageData", description: "The data of a message without changes." });

/** A message's envelope (https://www.standardwebhooks.com). */
function message<Type extends string, Body extends z.ZodObject>(
  type: Type,
  data: Body,
  id: string,
  { description, example }: { description: string; example: z.input<Body> },
) {
  return z
    .object({
      type: z.literal(type).meta({ description: "The kind of message. Ignore kinds that you do not know." }),
      timestamp: ServiceTime.meta({ description: "When the message was sent." }),
      data,
    })
    .meta({ id, description, examples: [{ type, timestamp: "2026-11-23T10:00:12.031Z", data: example }] });
}

/** The bodies of the messages that webhooks send, by type. */
export const webhookMessages = {
  changes: message(
    "changes",
    data
      .extend({
        has_more: z.boolean().meta({ description: "Another message follows within seconds." }),
        changes: z.array(WebhookChange).meta({ description: "Up to 100 changes and deletions, oldest first." }),
      })
      .meta({ id: "ChangesMessageData", description: "The data of a message of changes." }),
    "ChangesMessage",
    {
      description: "Resources changed. Run the sync, or read each of them.",
      example: {
        organisation_id: 1,
        has_more: false,
        changes: exampleChanges,
      },
    },
  ),
  restart: message("restart", Data, "RestartMessage", {
    description:
      "The webhook was off for more than 30 days, so deletions may be missing. Make a new copy of everything.",
    example: { organisation_id: 1 },
  }),
  test: message("test", Data, "TestMessage", {
    description: "A test message. Do nothing.",
    example: { organisation_id: 1 },
  }),
};

export type WebhookMessage = z.input<(typeof webhookMessages)[keyof typeof webhookMessages]>;
