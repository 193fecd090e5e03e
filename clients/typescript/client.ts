import createClient, {
  type Client,
  type ClientPathsWithMethod,
  type FetchResponse,
  type MaybeOptionalInit,
} from "openapi-fetch";
import { type Fetch, retryingFetch, type Wait } from "./retryingFetch.ts";
import type { paths } from "./schema.d.ts";
import { TicketingError } from "./ticketingError.ts";

type HttpMethod = "get" | "post" | "patch";

export interface TicketingClientOptions {
  /** Where the API is: `https://api.example.com`. */
  baseUrl: string;
  /** An API key of the organisation. It is sent with every request and shown nowhere. */
  apiKey: string;
  /** Sends a request once; the global fetch if left out. */
  fetch?: Fetch;
  /** Waits before another try; if left out, as long as it is told. */
  wait?: Wait;
}

/** What may, or has to, be given beside a path. */
export type RequestAt<Path extends keyof paths, Method extends HttpMethod> =
  undefined extends MaybeOptionalInit<paths[Path], Method>
    ? [request?: MaybeOptionalInit<paths[Path], Method>]
    : [request: MaybeOptionalInit<paths[Path], Method>];

/**
 * One method of the API, as openapi-fetch has it, but that it returns successes alone.
 * @throws TicketingError for any other answer.
 */
type Call<Method extends HttpMethod> = <Path extends ClientPathsWithMethod<Client<paths>, Method>>(
  path: Path,
  ...request: RequestAt<Path, Method>
) => Promise<{ data: SuccessAt<Path, Method>; response: Response }>;

type SuccessAt<Path extends keyof paths, Method extends HttpMethod> = NonNullable<
  FetchResponse<paths[Path][Method] & object, object, "application/json">["data"]
>;

export interface TicketingClient {
  GET: Call<"get">;
  POST: Call<"post">;
  PATCH: Call<"patch">;
}

/**
 * A client of the API for the holder of one key. It tries again what was refused or lost, where that can do no harm.
 * @throws TypeError where the key is no key, without showing it.
 */
export function ticketingClient({
  baseUrl,
  apiKey,
  fetch = globalThis.fetch,
  wait,
}: TicketingClientOptions): TicketingClient {
  // Otherwise the error of a header that cannot be would show it.
  if (!/^\w+$/.test(apiKey)) throw new TypeError("The API key has characters that no key has.");
  const client = createClient<paths>({
    baseUrl,
    headers: { Authorization: `Bearer ${apiKey}` },
    fetch: retryingFetch(fetch, wait),
  });
  client.use({
    async onResponse({ response }) {
      if (!response.ok) throw await TicketingError.of(response);
    },
  });
  // The library's types do not know that what is no success is thrown.
  return client as TicketingClient;
}
