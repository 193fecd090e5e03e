import type { Endpoint } from "../../../functions/api/endpoint.ts";
import { endpoints } from "../../../functions/endpoints/index.ts";
import { resources } from "../../../functions/resources/index.ts";
import { type Resource, resourceTypes } from "../../../functions/resources/resource.ts";
import { cases } from "../jest/cases.ts";
import type { Client } from "./client.ts";
import { withQuery } from "./send.ts";

/** The endpoints that list resources with this schema, without those that need a query. */
function listsOf({ schema }: Pick<Resource, "schema">): Endpoint[] {
  const { id } = schema.meta() ?? {};
  const pages = [`${id}Page`, `Expanded${id}Page`];
  return endpoints.filter(
    ({ response, query }) => pages.includes(String(response.meta()?.id)) && query?.safeParse({}).success,
  );
}

/** The path of a list that shows every resource with this schema: of the organisation, or else of each event or date. */
export function listPathOf(resource: Pick<Resource, "schema">): string {
  const paths = listsOf(resource).map(({ path }) => path);
  const [path] = ["/v1/", "/v1/events/{id}/", "/v1/dates/{id}/"].flatMap((start) =>
    paths.filter((one) => one.startsWith(start) && one.includes("{id}") === start.includes("{id}")),
  );
  if (path === undefined) throw new Error(`No endpoint lists every ${resource.schema.meta()?.id}.`);
  return path;
}

/** The list, possibly of each parent, in which a client finds the ids of a path, by the part before `/{id}`. */
const listsOfIds = new Map([
  ...Object.values<Resource>(resources).map((resource): [string, string] => [
    `/v1/${resourceTypes[resource.type].name}s`,
    listPathOf(resource),
  ]),
  ["/admin/api-keys", "/admin/api-keys"],
  ["/admin/webhooks", "/admin/webhooks"],
]);

/** More examples of one resource would add time and no coverage. */
const maximumExamples = cases(4, 60);
const found = new Map<string, Promise<(number | string)[]>>();

/** An id that no organisation has, for a path of the endpoint. */
export function unknownIdFor({ path }: Pick<Endpoint, "path">): string {
  return path.startsWith("/admin/") ? "zzzzzzzzz000000000000" : String(Number.MAX_SAFE_INTEGER);
}

export function withId({ path }: Pick<Endpoint, "path">, id: string | number): string {
  return path.replace("{id}", String(id));
}

/** Ids that this client may put into a path: all of them, or an even sample of many. */
export async function idsFor(endpoint: { path: string }, client: Client): Promise<(number | string)[]> {
  return sampleOf(await allIdsFor(endpoint, client));
}

/** All of the ids, or an even sample of many. */
export function sampleOf(ids: (number | string)[]): (number | string)[] {
  const step = Math.max(1, ids.length / maximumExamples);
  return ids.filter((_, index) => Math.floor(index % step) === 0);
}

/** Every id that this client may put into a path. */
export async function allIdsFor({ path }: { path: string }, client: Client): Promise<(number | string)[]> {
  const resource = path.split("/{id}")[0] ?? "";
  const list = listsOfIds.get(resource);
  if (list === undefined) throw new Error(`No list shows the ids of ${resource}.`);
  // Keys and webhooks come and go; everything else stays.
  if (list.startsWith("/admin/")) return idsIn([list], client);
  const known = `${client.credential} ${resource}`;
  const ids = found.get(known) ?? (list.includes("{id}") ? idsOfChildren(list, client) : idsIn([list], client));
  found.set(known, ids);
  return ids;
}

async function idsOfChildren(list: string, client: Client): Promise<(number | string)[]> {
  const parents = await allIdsFor({ path: `${list.split("/{id}")[0]}/{id}` }, client);
  return idsIn(
    parents.map((id) => list.replace("{id}", String(id))),
    client,
  );
}

async function idsIn(paths: string[], client: Client): Promise<(number | string)[]> {
  const rows = await Promise.all(paths.map((path) => client.rows(path)));
  return rows.flat().flatMap(({ id = [] }) => id);
}

/** The queries that endpoints require, with values that find rows in the demo data of each organisation. */
export const requiredQueries: Record<string, Record<string, string>> = {
  listTickets: { barcode: "7001420080132" },
  listAttendees: { email: "AINO.Hamalainen@office.example" },
};

/** The endpoint's path with an id, if it has one, and with the query that it requires. */
export function pathOf({ path, operationId }: Endpoint, id: string | number = ""): string {
  const query = requiredQueries[operationId];
  return query === undefined
    ? withId({ path }, id)
    : withQuery(withId({ path }, id), String(new URLSearchParams(query)));
}

export function hasId({ path }: Pick<Endpoint, "path">): boolean {
  return path.includes("{id}");
}

/** Paths of the endpoint at which this client finds a resource. */
export async function examplePaths(endpoint: Endpoint, client: Client): Promise<string[]> {
  if (!hasId(endpoint)) return [pathOf(endpoint)];
  return (await idsFor(endpoint, client)).map((id) => withId(endpoint, id));
}

const longLists = new Map<string, Promise<string>>();

/** A path of a list endpoint at which this client finds at least this number of rows. */
export function pathOfLongList(endpoint: Endpoint, client: Client, atLeast: number): Promise<string> {
  const known = `${client.credential} ${endpoint.path} ${atLeast}`;
  const path = longLists.get(known) ?? findLongList(endpoint, client, atLeast);
  longLists.set(known, path);
  return path;
}

async function findLongList(endpoint: Endpoint, client: Client, atLeast: number): Promise<string> {
  const paths = hasId(endpoint)
    ? (await allIdsFor(endpoint, client)).map((id) => withId(endpoint, id))
    : [pathOf(endpoint)];
  for (const path of paths) {
    if ((await client.page(path, { per_page: atLeast })).data.length === atLeast) return path;
  }
  throw new Error(`No ${endpoint.path} has ${atLeast} rows: add some to local/demo/records.ndjson.`);
}

export function isList({ query }: Endpoint): boolean {
  return query !== undefined && "cursor" in query.shape;
}

/** Texts that are not the canonical text of an id, although JavaScript converts most of them to a number. */
export const noIdTexts = [
  ..."0 -0 -1 +1 01 007 1.0 1. 1e0 1E3 0x1 0b1 0o1 1_000 1n 1,2 1#2 ٣ １ abc * NaN Infinity true null".split(" "),
  ...["", " ", " 1", "1 ", "1\n", "\u00a01", "9007199254740992", "9007199254740993", "9".repeat(20)],
];
