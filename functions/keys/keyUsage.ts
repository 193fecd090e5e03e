import * as z from "zod";
import { ServiceTime } from "../resources/fields.ts";

const Day = z
  .object({
    date: z.iso.date().meta({ description: "The day in UTC." }),
    requests: z.int().meta({ description: "Number of requests." }),
    client_errors: z.int().meta({ description: "Number of responses with a status from 400 to 499." }),
    server_errors: z.int().meta({ description: "Number of responses with a status of 500 or more." }),
  })
  .meta({ id: "KeyUsageDay", description: "The requests of a key on one day." });

const Operation = z
  .object({
    operation_id: z.string().meta({ description: "The operation, as in the OpenAPI document." }),
    requests: z.int().meta({ description: "Number of requests." }),
  })
  .meta({ id: "KeyUsageOperation", description: "How often a key called an operation." });

export const KeyUsage = z
  .object({
    days: z.array(Day).meta({ description: "Each of the days, the latest last, also those without requests." }),
    operations: z
      .array(Operation)
      .meta({ description: "The operations called in these days, the most frequent first." }),
  })
  .meta({
    id: "KeyUsage",
    description: "The requests of an API key by day. The latest minute may be missing.",
    examples: [
      {
        days: [{ date: "2026-02-04", requests: 288, client_errors: 3, server_errors: 0 }],
        operations: [
          { operation_id: "listChanges", requests: 240 },
          { operation_id: "getOrder", requests: 48 },
        ],
      },
    ],
  });
export type KeyUsage = z.infer<typeof KeyUsage>;

export const KeyFailure = z
  .object({
    time: ServiceTime.meta({ description: "When the request came." }),
    operation_id: z.string().meta({ description: "The operation, as in the OpenAPI document." }),
    status: z.int().meta({ description: "The HTTP status of the response." }),
    code: z.string().nullable().meta({ description: "The `code` of the error." }),
    request_id: z.string().meta({ description: "Quote this id when you ask for help." }),
  })
  .meta({
    id: "KeyFailure",
    description: "A refused or failed request of an API key.",
    examples: [
      {
        time: "2026-02-04T02:00:03.511Z",
        operation_id: "getOrder",
        status: 404,
        code: "not_found",
        request_id: "8b2f6c1e-3d57-4a9b-9c40-6f1d2e7a5b83",
      },
    ],
  });
export type KeyFailure = z.infer<typeof KeyFailure>;

const maximumDays = 90;
const defaultDays = 30;

/** The query of a key's usage. */
export const UsageQuery = z.object({
  days: z
    .string()
    .regex(/^[1-9][0-9]?$/, `Must be an integer from 1 to ${maximumDays}.`)
    .transform(Number)
    .pipe(z.int().max(maximumDays, `Must be an integer from 1 to ${maximumDays}.`))
    .default(defaultDays)
    .meta({ description: "Number of days, up to and including today in UTC.", minimum: 1 }),
});
