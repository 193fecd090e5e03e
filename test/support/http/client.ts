import assert from "node:assert/strict";
import type { OutgoingHttpHeaders } from "node:http";
import * as z from "zod";
import type { Endpoint } from "../../../functions/api/endpoint.ts";
import { assertDocumented } from "./assertDocumented.ts";
import { type Answer, exampleBody, type RequestOptions, send, textOf, withQuery } from "./send.ts";

/** Failed requests have no id of their own. */
const Row = z
  .looseObject({ id: z.union([z.int(), z.string()]).optional(), request_id: z.string().optional() })
  .refine(({ id, request_id }) => id !== undefined || request_id !== undefined);
export const PageBody = z.strictObject({
  data: z.array(Row),
  pagination: z.strictObject({
    per_page: z.int(),
    has_more: z.boolean(),
    next_cursor: z.string().nullable(),
    resume_cursor: z.string().optional(),
  }),
});
export type PageBody = z.infer<typeof PageBody>;

/** The holder of one API key or ID token. It asserts that the OpenAPI document describes every response. */
export interface Client {
  credential: string;
  /** Calls an endpoint at a path, by default with its example as the body, if it takes one. */
  call: (endpoint: Endpoint, path: string, request?: RequestOptions) => Promise<Answer>;
  get: (path: string, headers?: OutgoingHttpHeaders) => Promise<Answer>;
  /** The JSON of a success. */
  json: (path: string) => Promise<unknown>;
  /** One page of a list, by its query. */
  page: (path: string, query?: Record<string, string | number>) => Promise<PageBody>;
  /** All rows of a list, page by page, with the given page sizes in turn. */
  rows: (path: string, perPages?: readonly number[]) => Promise<PageBody["data"]>;
}

export function clientOf(baseUrl: string, credential: string): Client {
  const Authorization = `Bearer ${credential}`;

  async function sendTo(path: string, request: RequestOptions & { method: string }): Promise<Answer> {
    const answer = await send(baseUrl + path, request);
    assertDocumented(request.method, path, answer);
    return answer;
  }

  const call: Client["call"] = (endpoint, path, request = {}) => {
    const example = exampleBody(endpoint);
    const body = request.body ?? (example && JSON.stringify(example));
    const type = body !== undefined && endpoint.body && { "Content-Type": "application/json" };
    const headers = { Authorization, ...type, ...request.headers };
    return sendTo(path, { method: endpoint.method, ...request, body, headers });
  };

  const get: Client["get"] = (path, headers) => sendTo(path, { method: "GET", headers: { Authorization, ...headers } });

  const json: Client["json"] = async (path) => {
    const answer = await get(path);
    assert.equal(answer.status, 200, `${path}: ${textOf(answer)}`);
    return JSON.parse(textOf(answer));
  };

  const page: Client["page"] = async (path, query = {}) => {
    const values = Object.entries(query).map(([name, value]) => `${name}=${encodeURIComponent(value)}`);
    return PageBody.parse(await json(withQuery(path, values.join("&"))));
  };

  async function rows(path: string, perPages: readonly number[] = [200]) {
    const all: PageBody["data"] = [];
    let cursor: string | null = null;
    for (let turn = 0; turn === 0 || cursor !== null; turn++) {
      const per_page = perPages[turn % perPages.length] ?? 200;
      const { data, pagination }: PageBody = await page(path, { per_page, ...(cursor === null ? {} : { cursor }) });
      all.push(...data);
      assert.equal(pagination.per_page, per_page);
      assert.equal(pagination.has_more, pagination.next_cursor !== null);
      assert.equal(data.length, pagination.has_more ? per_page : data.length);
      cursor = pagination.next_cursor;
    }
    return all;
  }

  return { credential, call, get, json, page, rows };
}

/** All values of an iterator, in order. */
export async function collect<Value>(values: AsyncIterable<Value>): Promise<Value[]> {
  const all: Value[] = [];
  for await (const value of values) all.push(value);
  return all;
}
