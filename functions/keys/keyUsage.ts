import * as z from "zod";
import { ServiceTime } from "../values/instant.ts";

const Day = z
  .object({
    date: z.iso.date().meta({ description: "The day in UTC." }),
    requests: z.int().meta({ description: "Number of requests." }),
    client_errors: z.int().meta({ description: "Number of responses with a status from 400 to 499." }),
    server_errors: z.int().meta({ description: "Number of responses with a status of 500 or more." }),
    refused: z.int().meta({
      description:
        "Number of further requests that got 401 because the key was revoked or the organisation suspended. `requests` does not include them.",
    }),
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
    days: z.array(Day).meta({ description: "One entry per day, oldest first, including days without requests." }),
    operations: z
      .array(Operation)
      .meta({ description: "The operations called in these days, the most frequent first." }),
  })
  .meta({
    id: "KeyUsage",
    description: "The requests of an API key by day. The latest minute may be missing.",
    examples: [
      {
        days: [{ date: "2026-02-04", requests: 288, client_errors: 3, server_errors: 0, refused: 0 }],
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
    time: ServiceTime.meta({ description: "When the request arrived; the latest, if there are equal ones." }),
    first_time: ServiceTime.meta({ description: "When the first of the equal requests arrived." }),
    count: z.int().meta({
      description:
        "Number of equal requests: those of one day in UTC with the same key, path, status and reason are one failure. For a rejected key, the path may differ.",
    }),
    key_id: z.string().meta({ description: "Id of the key." }),
    operation_id: z
      .string()
      .nullable()
      .meta({ description: "The operation, as in the OpenAPI document; null if the key itself was refused." }),
    method: z.string().meta({ description: "The HTTP method." }),
    path: z.string().meta({
      description: "The path, without the query. `{id}` replaces any id other than a number of up to nine digits.",
    }),
    status: z.int().meta({ description: "The HTTP status of the response." }),
    code: z.string().meta({ description: "The `code` of the error." }),
    detail: z.string().meta({ description: "The `detail` of the error." }),
    required_scope: z
      .string()
      .nullable()
      .meta({ description: "The scope that the key lacks, if that was the reason." }),
    parameters: z.array(z.string()).meta({
      description:
        "The invalid parameters by name and the invalid members by JSON pointer, without their values; `(unknown name)` replaces a name that the operation does not declare, unless it has at most 30 lower-case letters and underscores.",
    }),
    reasons: z
      .array(z.string())
      .nullable()
      .meta({ description: "The response's `detail` for each of `parameters`, in the same order." }),
    request_id: z.string().meta({ description: "The latest request's. Quote this id when you ask for help." }),
  })
  .meta({
    id: "KeyFailure",
    description: "A refused or failed request of an API key, with the number of equal ones.",
    examples: [
      {
        time: "2026-02-04T02:00:03.511Z",
        first_time: "2026-02-04T01:45:02.906Z",
        count: 2,
        key_id: "0mi7c1q2k5f0c2a9d1e4b",
        operation_id: "getOrder",
        method: "GET",
        path: "/v1/orders/90210",
        status: 404,
        code: "not_found",
        detail: "No such order.",
        required_scope: null,
        parameters: [],
        reasons: null,
        request_id: "8b2f6c1e-3d57-4a9b-9c40-6f1d2e7a5b83",
      },
    ],
  });
export type KeyFailure = z.infer<typeof KeyFailure>;

const maximumDays = 90;
const defaultDays = 30;

export const UsageQuery = z.object({
  days: z
    .string()
    .regex(/^[1-9][0-9]?$/, `Must be an integer from 1 to ${maximumDays}.`)
    .transform(Number)
    .pipe(z.int().max(maximumDays, `Must be an integer from 1 to ${maximumDays}.`))
    .default(defaultDays)
    .meta({ description: "Number of days, up to and including today in UTC.", minimum: 1, examples: [7] }),
});
