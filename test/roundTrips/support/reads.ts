import assert from "node:assert/strict";
import * as z from "zod";
import type { Endpoint } from "../../../functions/api/endpoint.ts";
import { ChangesQuery } from "../../../functions/changes/change.ts";
import { changeRepository } from "../../../functions/changes/changeRepository.ts";
import { endpoints } from "../../../functions/endpoints/index.ts";
import { recordResources } from "../../../functions/resources/index.ts";
import {
  type ListDeclaration,
  type ListOfAll,
  type ListUnder,
  type LookUp,
  type Resource,
  resourceTypes,
} from "../../../functions/resources/resource.ts";
import { tickets } from "../../../functions/resources/ticket.ts";
import { isBlank } from "../../../functions/values/lookUp.ts";
import { proxyEvent } from "../../fuzz/support/requests.ts";
import { pagesOf } from "../../support/data/pages.ts";
import { tableAt } from "../../support/data/table.ts";
import { invoke, ofQuery } from "../../support/http/invoke.ts";
import type { SentRecord } from "./limitRecords.ts";

export type Row = Record<string, unknown> & { id: number };
interface Page {
  data: Row[];
  pagination: { has_more: boolean; next_cursor: string | null };
}

const reads = endpoints.filter(({ method }) => method === "GET");

/** The body that the organisation gets from a path with a query, decoded as a gateway does. */
async function get(organisationId: number, url: string): Promise<string> {
  const [path = "", query = ""] = url.split("?");
  const id = /^\/v1\/[^/]+\/([^/]+)/.exec(path)?.[1];
  const endpoint = reads.find((one) => one.path === (id === undefined ? path : path.replace(`/${id}`, "/{id}")));
  assert.ok(endpoint, path);
  const { requestContext } = proxyEvent(endpoint);
  Object.assign(requestContext.authorizer ?? {}, { organisationId: String(organisationId) });
  const parameters = ofQuery(Object.fromEntries(new URLSearchParams(query)));
  const response = await invoke(endpoint, { requestContext, pathParameters: { id }, ...parameters });
  assert.equal(response.statusCode, 200, `${url}: ${response.body.slice(0, 1_000)}`);
  return response.body;
}

/** All rows of a list. */
export async function rowsOf(organisationId: number, path: string, query = ""): Promise<Row[]> {
  const rows: Row[] = [];
  const list = async (cursor?: string): Promise<Page> =>
    JSON.parse(await get(organisationId, `${path}?per_page=200${query}${cursor ? `&cursor=${cursor}` : ""}`));
  for await (const { data } of pagesOf(list)) rows.push(...data);
  return rows;
}

/** All changes, including those of the last seconds. */
async function changesOf(organisationId: number): Promise<Row[]> {
  const table = tableAt(() => Date.now() + 60_000);
  const rows: Row[] = [];
  const list = (cursor?: string) =>
    changeRepository(organisationId, table).list(ChangesQuery.parse({ per_page: "200", cursor }));
  for await (const page of pagesOf(list)) rows.push(...JSON.parse(JSON.stringify(page.data)));
  return rows;
}

/** A record's fields in the schema's order, which is the API's. */
function inOrder({ shape }: z.ZodObject, fields: Record<string, unknown>): Row {
  const ordered = Object.keys(shape).map((name) => {
    const [field, value] = [shape[name], fields[name]];
    const isObjects = field instanceof z.ZodArray && field.element instanceof z.ZodObject && Array.isArray(value);
    return [name, isObjects ? value.map((one) => inOrder(field.element as z.ZodObject, one)) : value];
  });
  return Object.fromEntries(ordered);
}

/** Compares the values, and then the texts, because the order of members also counts. */
function assertSame(found: unknown, expected: unknown, what: string): void {
  assert.deepEqual(found, expected, what);
  assert.equal(JSON.stringify(found), JSON.stringify(expected), what);
}

/** The endpoint of a declared list. */
function pathOf({ type, schema }: Resource, list: ListDeclaration): string {
  const name = schema.meta()?.id;
  const isOf = ({ path, query, response }: Endpoint) => {
    if ("lookUp" in list) return path === `/v1/${resourceTypes[type].name}s` && list.lookUp in (query?.shape ?? {});
    if (![`${name}Page`, `Expanded${name}Page`].includes(String(response.meta()?.id))) return false;
    return "under" in list ? path.startsWith(`/v1/${resourceTypes[list.under].name}s/{id}/`) : !path.includes("{id}");
  };
  const found = reads.find(isOf);
  assert.ok(found, `No endpoint has the list ${list.index} of ${type}.`);
  return found.path;
}

/** A record, and what the API should return of it. */
interface Expected {
  record: SentRecord;
  row: Row;
}

/** Asserts that an organisation with exactly these records gets each field as it was sent: by id, in each list, by each look-up, and as a change. */
export async function assertServed(organisationId: number, records: SentRecord[]): Promise<void> {
  const expected = new Map<string, Expected[]>();
  for (const { type, schema } of Object.values<Resource>(recordResources)) {
    const own = records.filter((record) => record.type === type);
    expected.set(
      type,
      own.map((record) => ({ record, row: inOrder(schema, record.data) })),
    );
  }
  for (const resource of Object.values<Resource>(recordResources)) {
    await assertReadById(organisationId, resource, expected);
    for (const list of Object.values(resource.lists)) {
      if ("lookUp" in list) await assertFound(organisationId, resource, list, expected.get(resource.type) ?? []);
      else await assertListed(organisationId, resource, list, expected);
    }
  }
  await assertChanged(organisationId, expected);
}

type AllExpected = ReadonlyMap<string, Expected[]>;

const byId = (rows: Row[]) => rows.toSorted((one, other) => one.id - other.id);

/** The field of a record, which may be beside its data. */
const fieldOf = ({ data, ...extraFields }: SentRecord, name: string) => (name in data ? data[name] : extraFields[name]);

/** The rows that a parent has, by id. */
function childrenOf(all: Expected[] = [], field: string, parentId: unknown): Row[] {
  return byId(all.filter(({ record }) => fieldOf(record, field) === parentId).map(({ row }) => row));
}

async function assertReadById(organisationId: number, { type }: Resource, expected: AllExpected): Promise<void> {
  const path = `/v1/${resourceTypes[type].name}s/{id}`;
  if (!reads.some((endpoint) => endpoint.path === path)) return;
  for (const { row } of expected.get(type) ?? []) {
    const tickets = type === "order" && { tickets: childrenOf(expected.get("ticket"), "order_id", row.id) };
    const body = await get(organisationId, path.replace("{id}", String(row.id)));
    assertSame(JSON.parse(body), { ...row, ...tickets }, `${type} ${row.id}`);
    if (type === "ticket") await assertExpanded(organisationId, row, expected);
  }
}

async function assertExpanded(organisationId: number, ticket: Row, expected: AllExpected): Promise<void> {
  const resources = Object.entries(tickets.expand ?? {}).map(([name, { one }]) => {
    const found = expected.get(one)?.find(({ row }) => row.id === ticket[`${name}_id`]);
    return [name, found?.row ?? null];
  });
  const url = `/v1/tickets/${ticket.id}?expand=${Object.keys(tickets.expand ?? {})}`;
  assertSame(JSON.parse(await get(organisationId, url)), { ...ticket, ...Object.fromEntries(resources) }, url);
}

async function assertListed(
  organisationId: number,
  resource: Resource,
  list: ListUnder | ListOfAll,
  expected: AllExpected,
): Promise<void> {
  const path = pathOf(resource, list);
  const all = expected.get(resource.type) ?? [];
  if ("all" in list) {
    const rows = all.map(({ row }) => row);
    assertSame(byId(await rowsOf(organisationId, path)), byId(rows), path);
    return;
  }
  const parents = new Set(expected.get(list.under)?.map(({ row }) => row.id));
  for (const parentId of new Set(all.map(({ record }) => fieldOf(record, list.field)))) {
    if (!parents.has(Number(parentId))) continue;
    const url = path.replace("{id}", String(parentId));
    assertSame(byId(await rowsOf(organisationId, url)), childrenOf(all, list.field, parentId), url);
  }
}

async function assertFound(organisationId: number, resource: Resource, list: LookUp, all: Expected[]): Promise<void> {
  const path = pathOf(resource, list);
  for (const { row } of all) {
    const text = String(row[list.lookUp] ?? "");
    if (isBlank(text)) continue;
    const found = await rowsOf(organisationId, path, `&${list.lookUp}=${encodeURIComponent(text)}`);
    const same = found.find(({ id }) => id === row.id);
    assertSame(same, row, `${path} by ${list.lookUp} ${JSON.stringify(text)}`);
  }
}

async function assertChanged(organisationId: number, expected: AllExpected): Promise<void> {
  const changes = await changesOf(organisationId);
  for (const [type, all] of expected) {
    const own = new Map(changes.filter((change) => change.type === type).map((change) => [change.id, change]));
    assert.equal(own.size, all.length, type);
    for (const { record, row } of all) {
      const { type, organisation_id, version, data, ...extraFields } = record;
      const found = own.get(row.id);
      const { changed_at, key } = Object(found);
      assertSame(
        found,
        { type, id: row.id, ...extraFields, change: "upserted", changed_at, key, data: row },
        `${type} ${row.id}`,
      );
    }
  }
}
