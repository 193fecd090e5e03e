import { readFileSync } from "node:fs";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { text } from "node:stream/consumers";
import { deserialize } from "node:v8";
import type { WebsiteFile } from "../../../../../lib/website/websiteFile.ts";
import { listen } from "../../../../../test/support/http/listen.ts";
import { developerAreaContentSecurityPolicy } from "../../../page.ts";
import { type StagedAnswer, StagedApi, type StagedRequest } from "./adminApi.ts";
import { serve, stop } from "./httpServer.ts";
import { type ScriptedProvider, startScriptedProvider } from "./identityProvider.ts";
import { StagedWebhooks } from "./stagedWebhooks.ts";

/** May respond in place of the API, at once or later. */
type Interception = (request: StagedRequest) => Promise<StagedAnswer | undefined> | StagedAnswer | undefined;

/** The files that browserSetup.ts built. */
const files: WebsiteFile[] = deserialize(readFileSync(process.env.TEST_DEVELOPER_AREA ?? ""));

export const ada = { subject: "ada", email: "ada@example.org", organisationId: "1842" };

/** The built page with its real policy, with an API and an identity provider (at another origin) that a test controls. */
export class DeveloperAreaStage {
  readonly api = new StagedApi();
  readonly webhooks = new StagedWebhooks();
  readonly requests: StagedRequest[] = [];
  readonly provider: ScriptedProvider;
  readonly origin: string;
  intercept: Interception | undefined;
  readonly #server: Server;
  readonly #files: Map<string, WebsiteFile>;

  static async start(): Promise<DeveloperAreaStage> {
    const provider = await startScriptedProvider({
      person: ada,
      refusal: null,
      tokenLifetimeSeconds: 3600,
      givesRefreshTokens: false,
      endsSessions: true,
      hasSession: false,
    });
    const server = createServer();
    return new DeveloperAreaStage(provider, server, await listen(server), files);
  }

  private constructor(provider: ScriptedProvider, server: Server, origin: string, built: WebsiteFile[]) {
    this.provider = provider;
    this.origin = origin;
    this.#server = server;
    this.#files = new Map(built.map((file) => [file.path, file]));
    serve(server, (request, response) => this.#answer(request, response));
  }

  async stop(): Promise<void> {
    await Promise.all([stop(this.#server), this.provider.stop()]);
  }

  /** Makes a change when a write of the page arrives. If made earlier, the page might load it and not send the write. */
  beforeWrite(change: () => void): void {
    this.intercept = ({ method }) => {
      if (method !== "GET") change();
      return undefined;
    };
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url ?? "/", this.origin);
    if (url.pathname.startsWith("/admin/")) return sendJson(response, await this.#answerApi(request, url));
    if (url.pathname === "/developer/config.json")
      return sendJson(response, { status: 200, body: this.#configuration() });
    const file = this.#files.get(url.pathname);
    if (!file) return sendJson(response, { status: 404, body: {} });
    // The headers that the distribution sets.
    response.setHeader("Content-Security-Policy", developerAreaContentSecurityPolicy([this.provider.issuer]));
    response.setHeader("Cross-Origin-Opener-Policy", "same-origin");
    response.setHeader("Content-Type", file.contentType);
    response.end(file.body);
  }

  async #answerApi(request: IncomingMessage, { pathname: path, searchParams: query }: URL): Promise<StagedAnswer> {
    const token = request.headers.authorization?.replace(/^Bearer /, "") ?? "";
    const actor = await this.provider.verify(token).catch(() => null);
    const header = request.headers["idempotency-key"];
    const idempotencyKey = typeof header === "string" ? header : null;
    const staged = { method: request.method ?? "", path, query, body: await text(request), idempotencyKey, actor };
    this.requests.push(staged);
    const intercepted = await this.intercept?.(staged);
    if (intercepted) return intercepted;
    return actor !== null && path.startsWith("/admin/webhooks")
      ? this.webhooks.answer(staged, actor)
      : this.api.answer(staged);
  }

  #configuration() {
    const { issuer, clientId } = this.provider;
    return {
      issuer,
      client_id: clientId,
      scope: "openid email profile",
      organisation_claim: "custom:organisation_id",
      organisation_name_claim: "custom:organisation_name",
    };
  }
}

function sendJson(response: ServerResponse, { status, headers, body }: StagedAnswer): void {
  const text = status === 204 ? undefined : JSON.stringify(body);
  response.writeHead(status, { "Content-Type": "application/json", ...headers }).end(text);
}
