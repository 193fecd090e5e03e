import { randomBytes, randomUUID } from "node:crypto";
import { minutesAgo, page, problem, type StagedAnswer, type StagedRequest } from "./adminApi.ts";

interface StagedWebhook {
  id: string;
  url: string;
  description: string | null;
  types: string[] | null;
  status: "active" | "paused" | "disabled";
  created: string;
  created_by: string;
  delivered_until: string | null;
  failing_since: string | null;
  next_attempt: string | null;
  earlier_secret_until: string | null;
}

interface StagedDelivery {
  id: string;
  time: string;
  message_id: string;
  changes: number;
  attempt: number;
  status: number | null;
  duration_ms: number;
  error: string | null;
  replay: boolean | null;
}

export function stagedWebhook(webhook: Partial<StagedWebhook> = {}): StagedWebhook {
  return {
    id: randomUUID(),
    url: "https://crm.example.org/ticketing",
    description: null,
    types: null,
    status: "active",
    created: minutesAgo(60 * 24 * 12),
    created_by: "ada@example.org",
    delivered_until: null,
    failing_since: null,
    next_attempt: null,
    earlier_secret_until: null,
    ...webhook,
  };
}

export function stagedDelivery(delivery: Partial<StagedDelivery> & { time: string }): StagedDelivery {
  const message_id = `msg_${randomBytes(12).toString("hex")}`;
  return {
    id: randomUUID(),
    message_id,
    changes: 3,
    attempt: 1,
    status: 204,
    duration_ms: 87,
    error: null,
    replay: false,
    ...delivery,
  };
}

/** The administration of webhooks, in memory. */
export class StagedWebhooks {
  readonly webhooks: StagedWebhook[] = [];
  /** Deliveries by webhook id, latest first. */
  readonly deliveries: Record<string, StagedDelivery[]> = {};
  /** The receiver's response to a test. */
  test = { status: 204 as number | null, duration_ms: 87, error: null as string | null, sent: true, response: "" };
  /** Responses with a secret, by Idempotency-Key. */
  readonly #shown = new Map<string, StagedAnswer>();

  answer({ method, path, query, body, idempotencyKey }: StagedRequest, actor: string): StagedAnswer {
    const [, id, part] = /^\/admin\/webhooks(?:\/([^/]+))?(?:\/([^/]+))?$/.exec(path) ?? [];
    if (id === undefined) {
      return method === "POST"
        ? this.#create(JSON.parse(body), idempotencyKey ?? "", actor)
        : page(this.webhooks, query);
    }
    const webhook = this.webhooks.find((candidate) => candidate.id === id);
    if (!webhook) return problem(404, "No such webhook.");
    if (part === "deliveries") return page(this.deliveries[id] ?? [], query);
    if (part === "test") return { status: 200, body: this.test };
    if (part === "rotate-secret") return this.#rotate(webhook, idempotencyKey ?? "");
    if (part === "replay") return this.#replay(webhook, JSON.parse(body).from);
    if (method === "DELETE") this.webhooks.splice(this.webhooks.indexOf(webhook), 1);
    if (method === "DELETE") return { status: 204, body: null };
    return refusalOf(JSON.parse(body).url) ?? { status: 200, body: Object.assign(webhook, JSON.parse(body)) };
  }

  #create(settings: Pick<StagedWebhook, "url">, idempotencyKey: string, actor: string): StagedAnswer {
    const earlier = this.#shown.get(idempotencyKey);
    const refusal = refusalOf(settings.url);
    if (earlier || refusal) return earlier ?? refusal ?? problem(500, "Broken.");
    const webhook = stagedWebhook({ ...settings, created: new Date().toISOString(), created_by: actor });
    this.webhooks.unshift(webhook);
    const answer = { status: 201, body: { ...webhook, secret: newSecret() } };
    this.#shown.set(idempotencyKey, answer);
    return answer;
  }

  #rotate(webhook: StagedWebhook, idempotencyKey: string): StagedAnswer {
    const earlier = this.#shown.get(idempotencyKey);
    if (earlier) return earlier;
    if (webhook.earlier_secret_until !== null) return problem(409, "The earlier secret still signs.");
    webhook.earlier_secret_until = minutesAgo(-24 * 60);
    const answer = { status: 200, body: { ...webhook, secret: newSecret() } };
    this.#shown.set(idempotencyKey, answer);
    return answer;
  }

  #replay(webhook: StagedWebhook, from: string): StagedAnswer {
    if (Date.parse(from) < Date.now() - 30 * 24 * 60 * 60_000) return invalid("/from", "Must be at most 30 days ago.");
    webhook.delivered_until = from;
    return { status: 200, body: webhook };
  }
}

function newSecret(): string {
  return `whsec_${btoa(randomBytes(24).toString("base64url"))}`;
}

function refusalOf(url: string | undefined): StagedAnswer | undefined {
  if (url === undefined || url.startsWith("https://")) return undefined;
  return invalid("/url", "Must be an https URL.");
}

function invalid(pointer: string, detail: string): StagedAnswer {
  return problem(400, "The body is invalid.", { errors: [{ pointer, detail }] });
}
