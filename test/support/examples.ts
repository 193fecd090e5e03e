import * as z from "zod";
import type { Endpoint } from "../../functions/http/endpoint.ts";
import type { Client } from "./client.ts";

/** Where a client finds the ids of a path: for what precedes `/{id}`, the list that shows them. */
const listsOfIds: Record<string, string> = {
  "/v1/events": "/v1/events",
  "/admin/api-keys": "/admin/api-keys",
};

/** An id that no organisation has, for a path of the endpoint. */
export function unknownIdFor({ path }: Pick<Endpoint, "path">): string {
  return path.startsWith("/admin/") ? "zzzzzzzzz000000000000" : String(Number.MAX_SAFE_INTEGER);
}

export function withId({ path }: Pick<Endpoint, "path">, id: string | number): string {
  return path.replace("{id}", String(id));
}

/** The body that an endpoint's document shows, if it takes one. */
export function exampleBody({ body }: Pick<Endpoint, "body">): object | undefined {
  const [example] = z.array(z.record(z.string(), z.unknown())).parse(body?.meta()?.examples ?? []);
  return example;
}

/** The ids that this client may put into a path. */
export async function idsFor({ path }: Pick<Endpoint, "path">, client: Client): Promise<(number | string)[]> {
  const resource = path.split("/{id}")[0] ?? "";
  const list = listsOfIds[resource];
  if (list === undefined) throw new Error(`test/support/examples.ts does not say where ids of ${resource} are found.`);
  return (await client.rows(list)).map(({ id }) => id);
}

export function hasId({ path }: Pick<Endpoint, "path">): boolean {
  return path.includes("{id}");
}

/** Paths of the endpoint at which this client finds something. */
export async function examplePaths(endpoint: Endpoint, client: Client): Promise<string[]> {
  if (!hasId(endpoint)) return [endpoint.path];
  return (await idsFor(endpoint, client)).map((id) => withId(endpoint, id));
}

/** A path of a list endpoint at which this client finds at least so many rows. */
export async function pathOfLongList(endpoint: Endpoint, client: Client, atLeast: number): Promise<string> {
  for (const path of await examplePaths(endpoint, client)) {
    if ((await client.page(path, { per_page: atLeast })).data.length === atLeast) return path;
  }
  throw new Error(`No ${endpoint.path} has ${atLeast} rows.`);
}

export function isList({ query }: Endpoint): boolean {
  return query !== undefined && "cursor" in query.shape;
}
