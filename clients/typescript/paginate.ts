import type { RequestAt, TicketingClient } from "./client.ts";
import type { paths } from "./schema.ts";

/** A row of the list at a path; never, if the path is not a list. */
export type RowOf<Path extends keyof paths> = paths[Path] extends {
  get: { responses: { 200: { content: { "application/json": { data: (infer Row)[]; pagination: object } } } } };
}
  ? Row
  : never;

/** The path of a list. */
export type ListPath = { [Path in keyof paths]: [RowOf<Path>] extends [never] ? never : Path }[keyof paths];

interface ListRequest {
  params: { path?: { id: number }; query?: { per_page?: number; cursor?: string } };
}

interface ListAnswer<Row> {
  data: { data: Row[]; pagination: { next_cursor: string | null } };
}

/**
 * Yields the rows of a list to its last page, from the first page or from `params.query.cursor`. Each page is fetched when its first
 * row is needed.
 *
 *     for await (const date of paginate(client, "/v1/events/{id}/dates", { params: { path: { id: 15082 } } })) …
 */
export async function* paginate<Path extends ListPath>(
  client: TicketingClient,
  path: Path,
  ...[request]: RequestAt<Path, "get">
): AsyncGenerator<RowOf<Path>, void> {
  // All lists page in the same way, which their types, one per path, do not express.
  const getPage = client.GET as unknown as (path: Path, request: ListRequest) => Promise<ListAnswer<RowOf<Path>>>;
  const { params = {}, ...options } = (request ?? {}) as Partial<ListRequest>;
  let cursor = params.query?.cursor ?? null;
  do {
    const query = { per_page: 200, ...params.query, ...(cursor !== null && { cursor }) };
    const { data } = await getPage(path, { ...options, params: { ...params, query } });
    yield* data.data;
    cursor = data.pagination.next_cursor;
  } while (cursor !== null);
}
