import createClient, {
  type Client,
  type ClientPathsWithMethod,
  createQuerySerializer,
  type FetchResponse,
  type MaybeOptionalInit,
} from "openapi-fetch";
import { type RetryOptions, retryingFetch } from "./retryingFetch.ts";
import type { paths } from "./schema.ts";
import { TicketingError } from "./ticketingError.ts";

type HttpMethod = "get" | "post" | "patch";

export interface TicketingClientOptions extends RetryOptions {
  /** The API's origin: `https://api.example.com`. */
  baseUrl: string;
  /** The organisation's API key. It is sent with every request and never logged. */
  apiKey: string;
  /** The name of your program, for the `User-Agent` header: `nightly-sync/2.1`. */
  userAgent?: string | undefined;
}

/** The client's version, for the `User-Agent` header. */
export const version = "1.3.0";

/** The parameters of the paths. A time may also be a Date; a null cursor is the first page. */
type Accepted<Part> = {
  [Name in keyof Part]: Name extends HttpMethod | "parameters" | "query"
    ? Accepted<Part[Name]>
    : Name extends "from" | "to" | "changed_since"
      ? Part[Name] | Date
      : Name extends "cursor"
        ? Part[Name] | null | undefined
        : Part[Name];
};

/** The request parameters of a path; optional if the path requires none. */
export type RequestAt<Path extends keyof paths, Method extends HttpMethod> =
  undefined extends MaybeOptionalInit<Accepted<paths[Path]>, Method>
    ? [request?: MaybeOptionalInit<Accepted<paths[Path]>, Method>]
    : [request: MaybeOptionalInit<Accepted<paths[Path]>, Method>];

/** An HTTP method of openapi-fetch that returns only successes. @throws TicketingError for any other response. */
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
 * A client for the API. It retries failed requests if a retry is safe.
 * @throws TypeError if an option is missing or invalid; the message does not contain the key.
 */
export function ticketingClient({ baseUrl, apiKey, userAgent, ...retries }: TicketingClientOptions): TicketingClient {
  assertOptions(baseUrl, apiKey);
  const agent = `ticketing-client-typescript/${version}`;
  const client = createClient<paths>({
    baseUrl,
    headers: { Authorization: `Bearer ${apiKey}`, "User-Agent": userAgent ? `${userAgent} ${agent}` : agent },
    fetch: retryingFetch(retries),
    querySerializer: (query) => serialize(Object.fromEntries(Object.entries(query).map(withoutDate))),
  });
  client.use({
    async onResponse({ response }) {
      if (!response.ok) throw await TicketingError.of(response);
    },
  });
  // The library's types do not know that errors are thrown.
  return client as TicketingClient;
}

/** The service takes comma-separated values in one parameter. */
const serialize = createQuerySerializer({ array: { style: "form", explode: false } });

function withoutDate([name, value]: [string, unknown]): [string, unknown] {
  return [name, value instanceof Date ? value.toISOString() : value];
}

/** In JavaScript, or from unset environment variables, either may be undefined. */
function assertOptions(baseUrl: unknown, apiKey: unknown): void {
  if (typeof baseUrl !== "string" || !/^https?:\/\/./.test(baseUrl))
    throw new TypeError("baseUrl must be the API's address: https://…");
  if (typeof apiKey !== "string" || apiKey === "") throw new TypeError("apiKey is missing.");
  // Otherwise fetch's error for an invalid header value would contain the key.
  if (!/^\w+$/.test(apiKey)) throw new TypeError("The API key contains invalid characters.");
}
