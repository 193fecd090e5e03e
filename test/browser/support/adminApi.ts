import { randomBytes, randomUUID } from "node:crypto";
import { type StagedUse, usageOf } from "./stagedUse.ts";

interface StagedKey {
  id: string;
  name: string;
  prefix: string;
  scopes: string[];
  created: string;
  last_used: string | null;
  status: "active" | "revoked";
  created_by: string;
  revoked: string | null;
  revoked_by: string | null;
  replaces: string | null;
  replaced_by: string | null;
}

export interface StagedRequest {
  method: string;
  path: string;
  query: URLSearchParams;
  body: string;
  idempotencyKey: string | null;
  /** The signed-in person's email address, or null if the token is not accepted. */
  actor: string | null;
}

export interface StagedAnswer {
  status: number;
  headers?: Record<string, string>;
  body: unknown;
}

const minuteMs = 60_000;

/** The instant this many minutes ago, in the API's format. */
export function minutesAgo(minutes: number): string {
  return new Date(Date.now() - minutes * minuteMs).toISOString();
}

export function stagedKey(key: Partial<StagedKey> & { name: string }): StagedKey {
  return {
    id: randomUUID(),
    prefix: `tsk_${randomBytes(6).toString("base64url").replaceAll(/[-_]/g, "x")}`,
    scopes: ["read"],
    created: minutesAgo(60 * 24 * 40),
    last_used: null,
    status: "active",
    created_by: "ada@example.org",
    revoked: null,
    revoked_by: null,
    replaces: null,
    replaced_by: null,
    ...key,
  };
}

/** An error response of the API. */
export function problem(
  status: number,
  detail: string,
  more: { headers?: Record<string, string>; errors?: unknown[] } = {},
) {
  const { headers, errors } = more;
  return {
    status,
    ...(headers && { headers }),
    body: { status, code: "staged", detail, request_id: "request-4711", errors },
  };
}

function createdKey(asked: { name: string; scopes: string[] }, actor: string) {
  const secret = `tsk_${randomBytes(40).toString("base64url").replaceAll(/[-_]/g, "x").slice(0, 49)}`;
  const name = asked.name.normalize("NFC").replaceAll(/\s+/g, " ").trim();
  const created = new Date().toISOString();
  const key = stagedKey({ name, scopes: asked.scopes, prefix: secret.slice(0, 12), created, created_by: actor });
  return { secret, key };
}

function activityOf(action: string, actor: string, key: StagedKey) {
  const time = new Date().toISOString();
  const { id: key_id, name: key_name, prefix: key_prefix } = key;
  return { id: randomUUID(), action, time, actor, actor_id: actor, key_id, key_name, key_prefix };
}

/** The key management API, in memory. */
export function adminApi() {
  const keys: StagedKey[] = [];
  const activity: Record<string, string>[] = [];
  /** By key id. */
  const use: Record<string, StagedUse> = {};
  const creations = new Map<string, { body: string; answer: StagedAnswer }>();

  const note = (action: string, actor: string, key: StagedKey) => activity.unshift(activityOf(action, actor, key));

  function create({ body, idempotencyKey }: StagedRequest, actor: string): StagedAnswer {
    const earlier = creations.get(idempotencyKey ?? "");
    if (earlier) return earlier.body === body ? earlier.answer : problem(409, "The key was used for another request.");
    const { replaces = null, ...asked } = JSON.parse(body);
    if (asked.name === "refused") {
      return problem(400, "The body is invalid.", {
        errors: [{ pointer: "/name", detail: "This name is refused." }],
      });
    }
    const replaced = keys.find(({ id, status }) => id === replaces && status === "active");
    if (replaces !== null && !replaced) return problem(409, "Only an active key of the organisation can be replaced.");
    const { secret, key } = createdKey(asked, actor);
    keys.unshift(Object.assign(key, { replaces }));
    if (replaced) replaced.replaced_by = key.id;
    note("created", actor, key);
    const answer = { status: 201, body: { ...key, key: secret } };
    if (idempotencyKey !== null) creations.set(idempotencyKey, { body, answer });
    return answer;
  }

  function revoke(id: string, actor: string): StagedAnswer {
    const key = keys.find((candidate) => candidate.id === id);
    if (!key) return problem(404, "No such key.");
    if (key.status === "active") {
      Object.assign(key, { status: "revoked", revoked: new Date().toISOString(), revoked_by: actor });
      note("revoked", actor, key);
    }
    return { status: 200, body: key };
  }

  return {
    keys,
    activity,
    use,
    answer(request: StagedRequest): StagedAnswer {
      const { method, path, query, actor } = request;
      if (actor === null) return problem(401, "Sign in to manage keys.");
      const [, revoked] = /^\/admin\/api-keys\/([^/]+)\/revoke$/.exec(path) ?? [];
      if (method === "POST" && revoked) return revoke(revoked, actor);
      if (method === "POST" && path === "/admin/api-keys") return create(request, actor);
      if (path === "/admin/api-keys") return page(keys, query);
      const [, id = "", list] = /^\/admin\/api-keys\/([^/]+)\/(usage|failures)$/.exec(path) ?? [];
      if (list) return keys.some((key) => key.id === id) ? useOf(use[id], list, query) : problem(404, "No such key.");
      if (path === "/admin/api-key-activity") return page(activity, query);
      return problem(404, "No such path.");
    },
  };
}

function useOf(use: StagedUse | undefined, list: string, query: URLSearchParams): StagedAnswer {
  if (list === "failures") return page(use?.failures ?? [], query);
  return { status: 200, body: usageOf(use, Number(query.get("days"))) };
}

function page(rows: unknown[], query: URLSearchParams): StagedAnswer {
  const perPage = Number(query.get("per_page"));
  const start = Number(query.get("cursor") ?? 0);
  const more = start + perPage < rows.length;
  return {
    status: 200,
    body: {
      data: rows.slice(start, start + perPage),
      pagination: { per_page: perPage, has_more: more, next_cursor: more ? String(start + perPage) : null },
    },
  };
}
