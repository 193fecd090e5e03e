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
  suspended: boolean;
  created_by: string;
  revoked: string | null;
  revoked_by: string | null;
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

/** As the page shows an exact time, in this machine's time zone. */
export function exactTime(instant: string): string {
  const day = { day: "numeric", month: "short", year: "numeric" } as const;
  const time = { hour: "2-digit", minute: "2-digit", timeZoneName: "short" } as const;
  return new Intl.DateTimeFormat("en-GB", { ...day, ...time }).format(new Date(instant));
}

export function stagedKey(key: Partial<StagedKey> & { name: string }): StagedKey {
  return {
    id: randomUUID(),
    prefix: `tsk_${randomBytes(6).toString("base64url").replaceAll(/[-_]/g, "x")}`,
    scopes: ["read"],
    created: minutesAgo(60 * 24 * 40),
    last_used: null,
    status: "active",
    suspended: false,
    created_by: "ada@example.org",
    revoked: null,
    revoked_by: null,
    ...key,
  };
}

export function problem(
  status: number,
  detail: string,
  more: { headers?: Record<string, string>; errors?: unknown[]; key_id?: string } = {},
) {
  const { headers, ...members } = more;
  return {
    status,
    ...(headers && { headers }),
    body: { status, code: "staged", detail, request_id: "request-4711", ...members },
  };
}

function createdKey(asked: { name: string; scopes: string[] }, actor: string) {
  const secret = `tsk_${randomBytes(40).toString("base64url").replaceAll(/[-_]/g, "x").slice(0, 49)}`;
  const name = asked.name.normalize("NFC").replaceAll(/\s+/g, " ").trim();
  const created = new Date().toISOString();
  const key = stagedKey({ name, scopes: asked.scopes, prefix: secret.slice(0, 12), created, created_by: actor });
  return { secret, key };
}

interface StagedActivity {
  id: string;
  kind: string;
  action: string;
  time: string;
  actor: string;
  actor_id: string;
  key_id: string | null;
  key_name: string | null;
  key_prefix: string | null;
  former_name: string | null;
  scopes: string[] | null;
  webhook_id: string | null;
  url: string | null;
}

const aboutNothing = { key_id: null, key_name: null, key_prefix: null, webhook_id: null, url: null };

/** An entry, by default about a key. */
export function stagedActivity(entry: Partial<StagedActivity> & { action: string; time: string }): StagedActivity {
  return {
    ...{ id: randomUUID(), kind: "api_key", actor: "ada@example.org", actor_id: "ada@example.org" },
    ...{ ...aboutNothing, former_name: null, scopes: null },
    ...entry,
  };
}

function activityOf(action: string, actor: string, key: StagedKey): StagedActivity {
  const time = new Date().toISOString();
  const { id: key_id, name: key_name, prefix: key_prefix } = key;
  const scopes = action === "created" ? key.scopes : null;
  return stagedActivity({ action, time, actor, actor_id: actor, key_id, key_name, key_prefix, scopes });
}

/** The administration API, in memory. */
export class StagedApi {
  readonly keys: StagedKey[] = [];
  readonly activity: StagedActivity[] = [];
  readonly use: Record<string, StagedUse> = {};
  readonly #creations = new Map<string, { body: string; key_id: string }>();

  answer(request: StagedRequest): StagedAnswer {
    const { method, path, query, actor, body } = request;
    if (actor === null) return problem(401, "Sign in to manage keys.");
    if (method === "POST" && path === "/admin/api-keys") return this.#create(request, actor);
    if (path === "/admin/api-keys") return page(this.keys, query);
    if (path === "/admin/api-key-activity") return page(this.activity, query);
    if (path === "/admin/api-key-failures") return page(this.#allFailures(), query);
    const [, id = "", part = ""] = /^\/admin\/api-keys\/([^/]+)(?:\/(.+))?$/.exec(path) ?? [];
    const key = this.keys.find((candidate) => candidate.id === id);
    if (!key) return problem(404, "No such key.");
    if (method === "PATCH") return this.#rename(key, actor, JSON.parse(body).name);
    if (part === "failures") return page(this.#failuresOf(id), query);
    return part === "revoke"
      ? this.#revoke(key, actor)
      : { status: 200, body: usageOf(this.use[id], Number(query.get("days"))) };
  }

  #note(action: string, actor: string, key: StagedKey, former_name: string | null = null): void {
    this.activity.unshift({ ...activityOf(action, actor, key), former_name });
  }

  #create({ body, idempotencyKey }: StagedRequest, actor: string): StagedAnswer {
    const earlier = this.#creations.get(idempotencyKey ?? "");
    if (earlier?.body === body) return problem(409, "The secret cannot be shown again.", { key_id: earlier.key_id });
    if (earlier) return problem(422, "The key was used for another request.");
    const asked = JSON.parse(body);
    if (asked.name === "refused") return refusedName;
    const { secret, key } = createdKey(asked, actor);
    this.keys.unshift(key);
    this.#note("created", actor, key);
    if (idempotencyKey !== null) this.#creations.set(idempotencyKey, { body, key_id: key.id });
    return { status: 201, body: { ...key, key: secret } };
  }

  #revoke(key: StagedKey, actor: string): StagedAnswer {
    if (key.status === "active") {
      Object.assign(key, { status: "revoked", revoked: new Date().toISOString(), revoked_by: actor });
      this.#note("revoked", actor, key);
    }
    return { status: 200, body: key };
  }

  #rename(key: StagedKey, actor: string, name: string): StagedAnswer {
    if (name === "refused") return refusedName;
    const former = key.name;
    key.name = name;
    this.#note("renamed", actor, key, former);
    return { status: 200, body: key };
  }

  #failuresOf(key_id: string) {
    return (this.use[key_id]?.failures ?? []).map((failure) => ({ ...failure, key_id }));
  }

  #allFailures() {
    const failures = Object.keys(this.use).flatMap((id) => this.#failuresOf(id));
    return failures.sort((one, other) => (one.time < other.time ? 1 : -1));
  }
}

const refusedName = problem(400, "The body is invalid.", {
  errors: [{ pointer: "/name", detail: "This name is refused." }],
});

export function page(rows: unknown[], query: URLSearchParams): StagedAnswer {
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
