import { randomUUID } from "node:crypto";

export interface StagedUse {
  /** Today last. Earlier days had no requests. */
  days: { requests: number; client_errors?: number; server_errors?: number; refused?: number }[];
  operations?: { operation_id: string; requests: number }[];
  failures?: StagedFailure[];
}

interface StagedFailure {
  time: string;
  first_time: string;
  count: number;
  operation_id: string | null;
  method: string;
  path: string;
  status: number;
  code: string;
  detail: string;
  required_scope: string | null;
  parameters: string[];
  reasons: string[] | null;
  request_id: string;
}

const dayMs = 24 * 60 * 60 * 1000;

export function stagedFailure(failure: Partial<StagedFailure> & { time: string }): StagedFailure {
  return {
    first_time: failure.time,
    count: 1,
    operation_id: "getOrder",
    method: "GET",
    path: "/v1/orders/90210",
    status: 404,
    code: "not_found",
    detail: "No such order.",
    required_scope: null,
    parameters: [],
    reasons: null,
    request_id: randomUUID(),
    ...failure,
  };
}

/** The day in UTC, this many days ago. */
function dateDaysAgo(days: number): string {
  return new Date(Date.now() - days * dayMs).toISOString().slice(0, "YYYY-MM-DD".length);
}

/** The API's response about the usage of a key. */
export function usageOf({ days, operations = [] }: StagedUse = { days: [] }, count: number) {
  const zeros = { requests: 0, client_errors: 0, server_errors: 0, refused: 0 };
  return {
    days: Array.from({ length: count }, (_, index) => {
      const ago = count - 1 - index;
      return { date: dateDaysAgo(ago), ...zeros, ...days.at(-1 - ago) };
    }),
    operations,
  };
}

const withoutScope = {
  operation_id: "updateOrder",
  method: "PATCH",
  status: 403,
  code: "forbidden",
  detail: "This key lacks the scope write:orders.",
  required_scope: "write:orders",
};

const mistyped = {
  operation_id: "listEvents",
  path: "/v1/events",
  status: 400,
  code: "invalid_request",
  detail: "The query has invalid parameters.",
  parameters: ["perpage"],
  reasons: ["Unknown parameter. Known: per_page, cursor."],
};

/** 30 days of a nightly import with a bad week: refused requests, an outage, and quiet Sundays. */
export function realisticUse(minutesAgo: (minutes: number) => string): StagedUse {
  const days = Array.from({ length: 30 }, (_, index) => ({
    requests: index % 7 === 3 ? 96 : 280 + ((index * 37) % 61),
    client_errors: index > 17 && index < 24 ? 6 + ((index * 13) % 29) : index % 9 === 0 ? 1 : 0,
    server_errors: index === 12 ? 14 : 0,
  }));
  return {
    days,
    operations: [
      { operation_id: "listChanges", requests: 6_840 },
      { operation_id: "getOrder", requests: 902 },
      { operation_id: "listEvents", requests: 240 },
      { operation_id: "updateOrder", requests: 61 },
    ],
    failures: [40, 55, 130, 260, 1_500, 1_620, 3_000, 3_100, 4_500, 5_900, 6_000, 7_000].map((minutes, index) =>
      stagedFailure({
        time: minutesAgo(minutes),
        request_id: `8b2f6c1e-3d57-4a9b-9c40-6f1d2e7a5b${10 + index}`,
        ...(index % 4 === 1 && withoutScope),
        ...(index === 2 && mistyped),
        ...(index === 8 && {
          operation_id: "listChanges",
          path: "/v1/changes",
          status: 503,
          code: "service_unavailable",
          detail: "The service is temporarily unavailable. Retry later.",
        }),
      }),
    ),
  };
}
