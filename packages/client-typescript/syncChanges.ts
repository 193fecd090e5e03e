import type { RequestAt, TicketingClient } from "./client.ts";
import type { paths } from "./schema.ts";
import { CursorExpiredError, TicketingError } from "./ticketingError.ts";

/** A row of the list at a path; never, if the path is not a list. */
export type RowOf<Path extends keyof paths> = paths[Path] extends {
  get: { responses: { 200: { content: { "application/json": { data: (infer Row)[]; pagination: object } } } } };
}
  ? Row
  : never;

/** The path of a list. */
export type ListPath = { [Path in keyof paths]: [RowOf<Path>] extends [never] ? never : Path }[keyof paths];

interface ListRequest {
  params: {
    path?: { id: number };
    query?: { per_page?: number; cursor?: string | null; changed_since?: string | Date };
  };
}

interface ListAnswer<Row> {
  data: { data: Row[]; pagination: { next_cursor: string | null } };
}

/**
 * Yields the rows of a list, from the first page or from `params.query.cursor`. Each page is fetched when needed.
 *
 *     for await (const date of paginate(client, "/v1/events/{id}/dates", { params: { path: { id: 15082 } } })) …
 * @throws Error if a page leads to itself, as from a faulty cache.
 */
export async function* paginate<Path extends ListPath>(
  client: TicketingClient,
  path: Path,
  ...[request]: RequestAt<Path, "get">
): AsyncGenerator<RowOf<Path>, void> {
  // All lists have the same form of page, but a type of their own for each path.
  const getPage = client.GET as unknown as (path: Path, request: ListRequest) => Promise<ListAnswer<RowOf<Path>>>;
  const { params = {}, ...options } = (request ?? {}) as Partial<ListRequest>;
  const { cursor: start = null, changed_since, ...filters } = params.query ?? {};
  let cursor = start;
  do {
    // A cursor continues from its own position, so it needs no start.
    const position = cursor === null ? { changed_since } : { cursor };
    const query = { per_page: 1_000, ...filters, ...position };
    const { data } = await getPage(path, { ...options, params: { ...params, query } });
    const { next_cursor } = data.pagination;
    if (next_cursor !== null) assertOther(next_cursor, cursor);
    yield* data.data;
    cursor = next_cursor;
  } while (cursor !== null);
}

/** The latest change of one resource. `data` is null if the resource was deleted. */
export type Change = RowOf<"/v1/changes">;

/** Where a sync starts: at the stored cursor of the last sync, at a time, or by default at the first change. */
export interface SyncStart<Type extends Change["type"] = Change["type"]> {
  /** The `resumeCursor` that you stored last; null if you have none. */
  cursor?: string | null | undefined;
  /** A Date, or ISO 8601. Changes that the service accepted earlier are skipped. Ignored with a cursor. */
  changedSince?: string | Date | undefined;
  /** The types to sync; by default all. A cursor works only with the same types. */
  types?: readonly Type[] | undefined;
}

export interface ChangesPage<Type extends Change["type"] = Change["type"]> {
  /** In the order of acceptance by the service. A resource that changes again is listed again. */
  changes: Extract<Change, { type: Type }>[];
  /** Where the next sync starts. Store it after the changes, so that none is missed. */
  resumeCursor: string;
}

/**
 * Yields the changes and deletions page by page, up to the latest visible change. There is always at least one page, which may be empty.
 * @throws CursorExpiredError if the start is more than 30 days old: start over without a cursor and with an empty copy.
 * @throws Error if a page leads to itself, as from a faulty cache.
 */
export async function* syncChanges<Type extends Change["type"] = Change["type"]>(
  client: TicketingClient,
  { cursor, changedSince, types }: SyncStart<Type> = {},
): AsyncGenerator<ChangesPage<Type>, void> {
  const filters = { per_page: 1_000, types: types && [...types] };
  let query: ChangesQuery = { ...filters, ...(cursor == null ? { changed_since: changedSince } : { cursor }) };
  for (let hasMore = true; hasMore; ) {
    const { data, pagination } = await getPage(client, query);
    if (pagination.has_more) assertOther(pagination.resume_cursor, query.cursor);
    // The service lists only the requested types.
    yield { changes: data as ChangesPage<Type>["changes"], resumeCursor: pagination.resume_cursor };
    query = { ...filters, cursor: pagination.resume_cursor };
    hasMore = pagination.has_more;
  }
}

/** A faulty cache would otherwise make the client fetch a page endlessly. */
function assertOther(next: string, cursor: string | null | undefined): void {
  if (next === cursor) throw new Error("The page's next_cursor equals the cursor of the request.");
}

type ChangesRequest = NonNullable<RequestAt<"/v1/changes", "get">[0]>;
type ChangesQuery = NonNullable<NonNullable<ChangesRequest["params"]>["query"]>;

async function getPage(client: TicketingClient, query: ChangesQuery) {
  try {
    return (await client.GET("/v1/changes", { params: { query } })).data;
  } catch (error) {
    const isExpired = error instanceof TicketingError && error.code === "cursor_expired";
    throw isExpired ? new CursorExpiredError(error) : error;
  }
}
