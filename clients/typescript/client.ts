import createClient, {
  type Client,
  type ClientPathsWithMethod,
  type FetchResponse,
  type MaybeOptionalInit,
} from "openapi-fetch";
import { type Fetch, retryingFetch, type Wait } from "./retryingFetch.ts";
import type { paths } from "./schema.ts";
import { TicketingError } from "./ticketingError.ts";

type HttpMethod = "get" | "post" | "patch";

export interface TicketingClientOptions {
  /** The API's origin: `https://api.example.com`. */
  baseUrl: string;
  /** The organisation's API key. It is sent with every request and never logged. */
  apiKey: string;
  /** Sends a request once; by default the global fetch. */
  fetch?: Fetch;
  /** Waits before a retry; by default for the full delay. */
  wait?: Wait;
}

/** The request parameters of a path; optional if the path requires none. */
export type RequestAt<Path extends keyof paths, Method extends HttpMethod> =
  undefined extends MaybeOptionalInit<paths[Path], Method>
    ? [request?: MaybeOptionalInit<paths[Path], Method>]
    : [request: MaybeOptionalInit<paths[Path], Method>];

/**
 * An HTTP method as in openapi-fetch, except that it returns successes only.
 * @throws TicketingError for any other response.
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
 * A client of the API with one key. It retries failed requests if a retry is safe.
 * @throws TypeError if the key is not valid; the message does not contain the key.
 */
export function ticketingClient({
  baseUrl,
  apiKey,
  fetch = globalThis.fetch,
  wait,
}: TicketingClientOptions): TicketingClient {
  // Otherwise fetch's error for an invalid header value would contain the key.
  if (!/^\w+$/.test(apiKey)) throw new TypeError("The API key contains invalid characters.");
  const client = createClient<paths>({
    baseUrl,
    headers: { Authorization: `Bearer ${apiKey}` },
    fetch: retryingFetch(fetch, wait),
    // The service takes several values comma-separated in one parameter.
    querySerializer: { array: { style: "form", explode: false } },
  });
  client.use({
    async onResponse({ response }) {
      if (!response.ok) throw await TicketingError.of(response);
    },
  });
  // The library's types do not know that errors are thrown.
  return client as TicketingClient;
}
