import { randomBytes, randomUUID } from "node:crypto";

export interface StagedKey {
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
}

export interface StagedRequest {
  method: string;
  path: string;
  query: URLSearchParams;
  body: string;
  /** The signed-in person's email address, or null if the token is not accepted. */
  actor: string | null;
}

export interface StagedAnswer {
  status: number;
  headers?: Record<string, string>;
  body: unknown;
}

export type StagedApi = ReturnType<typeof adminApi>;

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

/** The key management API, in memory. */
export function adminApi() {
  const keys: StagedKey[] = [];
  const activity: Record<string, string>[] = [];

  function note(action: string, actor: string, key: StagedKey) {
    activity.unshift({
      id: randomUUID(),
      action,
      time: new Date().toISOString(),
      actor,
      actor_id: actor,
      key_id: key.id,
      key_name: key.name,
      key_prefix: key.prefix,
    });
  }

  function create(body: string, actor: string): StagedAnswer {
    const { name, scopes } = JSON.parse(body);
    if (name === "refused") {
      return problem(400, "The body is invalid.", {
        errors: [{ pointer: "/name", detail: "This name is refused." }],
      });
    }
    const secret = `tsk_${randomBytes(40).toString("base64url").replaceAll(/[-_]/g, "x").slice(0, 49)}`;
    const created = new Date().toISOString();
    const key = stagedKey({ name, scopes, prefix: secret.slice(0, 12), created, created_by: actor });
    keys.unshift(key);
    note("created", actor, key);
    return { status: 201, body: { ...key, key: secret } };
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
    answer({ method, path, query, body, actor }: StagedRequest): StagedAnswer {
      if (actor === null) return problem(401, "Sign in to manage keys.");
      const [, revoked] = /^\/admin\/api-keys\/([^/]+)\/revoke$/.exec(path) ?? [];
      if (method === "POST" && revoked) return revoke(revoked, actor);
      if (method === "POST" && path === "/admin/api-keys") return create(body, actor);
      if (path === "/admin/api-keys") return page(keys, query);
      if (path === "/admin/api-key-activity") return page(activity, query);
      return problem(404, "No such path.");
    },
  };
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
