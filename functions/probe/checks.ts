import * as z from "zod";

interface Target {
  baseUrl: string;
  /** An API key of the stage; undefined leaves out the checks that need one. */
  key: string | undefined;
  timeoutMs: number;
  signal?: AbortSignal;
}

interface Check {
  name: string;
  path: string;
  /** The stage's own key, or one that no stage has; none by default. */
  key?: "own" | "unknown";
  status: number;
  body: (key: string) => z.ZodType;
}

/** It has the form and the checksum of a key. */
export const unknownKey = "tsk_000000000000000000000000000000000001UDn2J";

/** A request through each part of a stage: authorizer, table, refusal, website. */
export const checks: readonly Check[] = [
  {
    name: "GET /v1/key",
    path: "/v1/key",
    key: "own",
    status: 200,
    body: (key) => z.object({ prefix: z.literal(key.slice(0, 12)), organisation_id: z.int() }),
  },
  {
    name: "GET /v1/events",
    path: "/v1/events?per_page=1",
    key: "own",
    status: 200,
    body: () => z.object({ data: z.array(z.unknown()).max(1), pagination: z.object() }),
  },
  {
    name: "GET /v1/key with an unknown key",
    path: "/v1/key",
    key: "unknown",
    status: 401,
    body: () => z.object({ code: z.literal("unauthorized") }),
  },
  { name: "GET /developer", path: "/developer", status: 200, body: () => z.string().regex(/<html/i) },
];

export function checksFor({ key }: Pick<Target, "key">): Check[] {
  return checks.filter((check) => check.key !== "own" || key !== undefined);
}

/** Makes a check's request, once. @throws Error that does not contain the key or the body, because its message is logged. */
export async function runCheck(check: Check, { baseUrl, key = "", timeoutMs, signal }: Target): Promise<void> {
  const sent = { own: key, unknown: unknownKey, none: undefined }[check.key ?? "none"];
  const timeout = AbortSignal.timeout(timeoutMs);
  const response = await fetch(`${baseUrl}${check.path}`, {
    headers: sent === undefined ? {} : { Authorization: `Bearer ${sent}` },
    redirect: "error",
    signal: signal ? AbortSignal.any([timeout, signal]) : timeout,
  }).catch(withNameOnly("The request failed"));
  const id = `X-Request-Id: ${response.headers.get("x-request-id") ?? "none"}`;
  if (response.status !== check.status) throw new Error(`The status is ${response.status}, not ${check.status}. ${id}`);
  const body = await response.text().catch(withNameOnly(`Reading the body failed. ${id}`));
  if (!check.body(key).safeParse(parsed(body)).success) throw new Error(`The body is not as documented. ${id}`);
}

/** Keeps only the name or code (ECONNREFUSED) of an error of the network or AWS, because the message may contain headers. */
export function withNameOnly(what: string) {
  return (error: unknown): never => {
    const { name = "unknown error", cause }: { name?: string; cause?: { code?: unknown } } = Object(error);
    throw new Error(`${what}: ${typeof cause?.code === "string" ? cause.code : name}.`);
  };
}

function parsed(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    return body;
  }
}
