import * as z from "zod";
import { text } from "../resources/fields.ts";
import { changingTypes } from "../resources/index.ts";
import { InstantInUtc, ServiceTime } from "../values/instant.ts";
import { timeOrderedIdPattern } from "../values/timeOrderedId.ts";

/** Per organisation. */
export const maximumWebhooks = 20;
export const maximumUrlLength = 2_000;
const maximumDescriptionLength = 200;
/** The oldest changes that a replay, or a retry, still sends. */
export const replayDays = 30;

export const noMoreWebhooks = `The organisation already has ${maximumWebhooks} webhooks, others are being created concurrently, or the webhook of this \`Idempotency-Key\` was deleted or its secret replaced.`;

export const notRotated =
  "The earlier secret still signs, a later rotation replaced the secret of this `Idempotency-Key`, or a concurrent request or delivery changed the webhook.";

export const changedMeanwhile = "A concurrent request or delivery changed the webhook. Retry the request.";

const listed = changingTypes.map((type) => `\`${type}\``).join(", ");

function isVisibleAscii(text: string): boolean {
  return /^[\x21-\x7e]*$/.test(text);
}

/** The host and port as they were written. */
function hostIn(url: string): string {
  return url.split(/[/\\?#]/)[2] ?? "";
}

/** A receiver's address, without the check of its host. The local service also accepts http on this machine. */
const Url = z
  .string("Must be a string.")
  .max(maximumUrlLength, `Must have at most ${maximumUrlLength} characters.`)
  // The URL parser also accepts `https:host` and `https:/host`.
  .refine((text) => /^https?:\/\/[^/\\]/i.test(text) && URL.canParse(text), {
    error: "Must be an absolute https URL.",
    abort: true,
  })
  .refine(
    (text) => URL.parse(text)?.username === "" && URL.parse(text)?.password === "",
    "Must not contain credentials.",
  )
  .refine((text) => !text.includes("#"), "Must not contain a fragment.")
  .refine((text) => isVisibleAscii(hostIn(text)), {
    error: ({ input }) => `The host must be in ASCII: ${URL.parse(String(input))?.host}.`,
  })
  .refine(
    (text) => isVisibleAscii(text.replace(hostIn(text), "")),
    "Must only contain visible ASCII characters; percent-encode others.",
  )
  .meta({
    description:
      "Where messages are posted: an https URL whose host has public addresses only, without credentials and without a fragment.",
  });

const Types = z
  .array(z.enum(changingTypes, `Must be one of ${changingTypes.join(", ")}.`), "Must be an array of types, or null.")
  .min(1, "Must not be empty; null means all types.")
  .refine((types) => new Set(types).size === types.length, "Must not repeat a type.")
  .overwrite((types) => changingTypes.filter((type) => types.includes(type)))
  .nullable()
  .meta({
    description: `The types whose changes are sent: ${listed}. Null for all, including types that are added later.`,
  });

const Description = z
  .string("Must be a string or null.")
  .max(maximumDescriptionLength, `Must have at most ${maximumDescriptionLength} characters.`)
  .refine((text) => !/\p{Cc}/u.test(text), "Must not contain control characters.")
  .nullable()
  .meta({ description: "A note for people." });

const fields = z.object({
  id: z.string().meta({ description: "Id of the webhook." }),
  url: z.string().meta({ description: "Where messages are posted." }),
  description: z.string().nullable().meta({ description: "A note for people." }),
  types: z
    .array(z.enum(changingTypes))
    .nullable()
    .meta({ description: "The types whose changes are sent; null for all." }),
  status: z.enum(["active", "paused", "disabled"]).meta({
    description: "`disabled`: the receiver failed for five days, or responded with 410. Set `active` to continue.",
  }),
  created: ServiceTime.meta({ description: "When the webhook was created." }),
  created_by: z.string().meta({ description: "Name of the person who created it." }),
  delivered_until: ServiceTime.nullable().meta({
    description: "When the service accepted the latest change that was delivered; null if none was.",
  }),
  failing_since: ServiceTime.nullable().meta({
    description:
      "When the current series of failed attempts began; null if the last attempt succeeded, or the URL has changed since.",
  }),
  next_attempt: ServiceTime.nullable().meta({
    description:
      "When the service next polls for changes to send, or up to a minute later; null if no poll is scheduled.",
  }),
  earlier_secret_until: ServiceTime.nullable().meta({
    description: "When the earlier secret stops signing. If null or in the past, only the current secret signs.",
  }),
});

const example: z.infer<typeof fields> = {
  id: "0mi7c1q2k5f0c2a9d1e4b",
  url: "https://crm.example.org/ticketing",
  description: "CRM",
  types: ["order", "ticket"],
  status: "active",
  created: "2026-11-23T09:12:45.120Z",
  created_by: "ada@riverside.example",
  delivered_until: "2026-11-23T10:00:00.120Z",
  failing_since: null,
  next_attempt: null,
  earlier_secret_until: null,
};

export const Webhook = fields.meta({
  id: "Webhook",
  description: "A receiver of the organisation's changes.",
  examples: [example],
});
export type Webhook = z.infer<typeof Webhook>;

const secret = z.string().meta({
  description:
    "The signing secret, in the form of Standard Webhooks. The key that it encodes in base64 is a text: 32 letters, digits, `-` and `_`. Only this response shows it.",
});

export const WebhookWithSecret = Webhook.extend({ secret }).meta({
  id: "WebhookWithSecret",
  description: "A webhook with its signing secret.",
  examples: [
    {
      ...example,
      delivered_until: null,
      next_attempt: "2026-11-23T09:12:57.120Z",
      secret: "whsec_bjhHNHhRLTdwTHdUMmJZYzhkS3AxblJzN3ZaYTNlR18=",
    },
  ],
});

export const WebhookInput = z
  .strictObject({ url: Url, types: Types.optional(), description: Description.optional() })
  .meta({
    id: "WebhookInput",
    description: "A new webhook.",
    examples: [{ url: example.url, types: ["order", "ticket"], description: "CRM" }],
  });
export type WebhookInput = z.infer<typeof WebhookInput>;

/** Identifies a request whose response shows a secret. */
export const SecretHeaders = z.object({
  "idempotency-key": text(1, 255)
    .optional()
    .meta({
      description:
        "A unique text for each new webhook or rotation. A retry with it within 24 hours gets the same webhook and secret, with `Idempotency-Replayed: true`.",
      examples: ["0c6d3f0e-7f3b-4b1e-9a56-2f4f3c1d8e70"],
    }),
});

export const WebhookUpdate = z
  .strictObject({
    url: Url.optional(),
    types: Types.optional(),
    description: Description.optional(),
    status: z.enum(["active", "paused"], "Must be active or paused.").optional().meta({
      description:
        "`paused` stops messages; `active` continues after the last delivered change, within seconds, even if already active.",
    }),
    earlier_secret_until: z
      .null("Must be null, which ends the earlier secret now.")
      .optional()
      .meta({
        description: "Must be null, which ends the earlier secret now, so that only the current one signs.",
        // A generator fails on a schema that allows nothing but null.
        type: ["string", "null"],
      }),
  })
  .refine((update) => Object.values(update).some((value) => value !== undefined), "Must have at least one member.")
  .meta({
    minProperties: 1,
    id: "WebhookUpdate",
    description: "Changes to a webhook.",
    examples: [{ status: example.status }],
  });
export type WebhookUpdate = z.infer<typeof WebhookUpdate>;

export const Replay = z
  .strictObject({
    from: InstantInUtc.meta({
      description: `At most ${replayDays} days ago; UTC without an offset. Changes that the service accepted at this time or later are sent again.`,
    }),
  })
  .meta({ id: "Replay", description: "The start of a replay.", examples: [{ from: "2026-11-22T00:00:00Z" }] });

const attemptFields = {
  status: z.int().nullable().meta({ description: "The status of the receiver's response; null without a response." }),
  duration_ms: z.int().meta({ description: "How long the receiver took, in milliseconds." }),
  error: z.string().nullable().meta({ description: "Why there was no response; null with a response." }),
};

export const WebhookTest = z
  .object({
    ...attemptFields,
    sent: z.boolean().meta({
      description: "True if the whole message was sent. The receiver may then have got it even without a response.",
    }),
    response: z.string().meta({ description: "The first 1,024 bytes of the receiver's response. It is not stored." }),
  })
  .meta({
    id: "WebhookTest",
    description: "What the receiver responded to a test message.",
    examples: [{ status: 204, duration_ms: 87, error: null, sent: true, response: "" }],
  });

export const WebhookDelivery = z
  .object({
    id: z.string().regex(timeOrderedIdPattern).meta({ description: "Id of the attempt." }),
    time: ServiceTime.meta({ description: "When the attempt began." }),
    message_id: z.string().meta({ description: "The `webhook-id` of the message; the same for the same content." }),
    changes: z.int().meta({ description: "The number of changes in the message." }),
    attempt: z.int().meta({
      description:
        "1 for the first attempt after a success or a change of the webhook, 2 for its first retry, and so on.",
    }),
    ...attemptFields,
    replay: z.boolean().meta({ description: "True if the message begins with changes that a replay sends again." }),
  })
  .meta({
    id: "WebhookDelivery",
    description: "An attempt to deliver a message.",
    examples: [
      {
        id: "0mi7c1q2k9be07d3150fa",
        time: "2026-11-23T10:00:12.031Z",
        message_id: "msg_4fQ9wLxT2bYc8dKp1nRs7vZa3eG",
        changes: 12,
        attempt: 1,
        status: 204,
        duration_ms: 87,
        error: null,
        replay: false,
      },
    ],
  });
export type WebhookDelivery = z.infer<typeof WebhookDelivery>;
