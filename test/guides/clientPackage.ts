import assert from "node:assert/strict";
import { readdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "@jest/globals";
import { paginate, ticketingClient } from "../../packages/client-typescript/index.ts";
import { categoryRecord } from "../support/data/records.ts";
import { clientOf, collect } from "../support/http/client.ts";
import { eventIds, type integratorStage, organisationId, purchase } from "../support/service/integratorStage.ts";
import { deletionOf } from "../support/sync/mirror.ts";
import { type ClientProject, clientReadme, nodeVersion } from "./installedClient.ts";

const [example = "", mirror = ""] = [...clientReadme.matchAll(/^```ts\n(.*?)^```$/gms)].map(([, code = ""]) => code);

/** Syncs the README's mirror from a cursor into the copy of the last run. */
const syncOnce = `
  import { existsSync, readFileSync, writeFileSync } from "node:fs";
  import { ticketingClient } from "@ticketing/client";
  import { sync } from "./mirror.mjs";
  const { BASE_URL, API_KEY, CURSOR } = process.env;
  const copy = new Map(existsSync("copy.json") ? JSON.parse(readFileSync("copy.json", "utf8")) : []);
  await sync(ticketingClient({ baseUrl: BASE_URL, apiKey: API_KEY }), copy, CURSOR);
  writeFileSync("copy.json", JSON.stringify([...copy]));
  console.log(JSON.stringify([...copy.values()].filter(({ type }) => type === "ticket_category")));`;

/** As the README says, `cursor` has no initial value. */
const pages = `
  import type { TicketingClient } from "@ticketing/client";
  export async function countEvents(client: TicketingClient) {
    let count = 0;
    let cursor: string | null | undefined;
    do {
      const { data: page } = await client.GET("/v1/events", { params: { query: { per_page: 1000, cursor } } });
      count += page.data.length;
      cursor = page.pagination.next_cursor;
    } while (cursor);
    return count;
  }`;

const files = {
  "example.mts": example,
  "mirror.mts": mirror,
  "pages.mts": pages,
  // Instead of Node's types, which the client does not need.
  "process.d.ts": "declare const process: { env: Record<string, string | undefined> };",
  "misuse.mts": `
    import type { TicketingClient } from "@ticketing/client";
    export const misuse = (client: TicketingClient) => [
      // @ts-expect-error: the path does not exist.
      client.GET("/v1/nothing"),
      // @ts-expect-error: the parameter does not exist.
      client.GET("/v1/events", { params: { query: { perPage: 5 } } }),
    ];`,
};

/** Declares the tests of the installed package. They record a payment for the fifth event. */
export function testClientPackage(project: ClientProject, stage: Awaited<ReturnType<typeof integratorStage>>): void {
  describe("the client's package", () => {
    test("contains only JavaScript with its types, the README and the licence", async () => {
      const folder = join(project.directory, "node_modules/@ticketing/client");
      const paths = (await readdir(folder, { recursive: true })).filter((path) => path !== "dist");
      const isExpected = (path: string) => /^(LICENSE|README\.md|package\.json|dist\/\w+\.(js|d\.ts))$/.test(path);
      expect(paths.filter((path) => !isExpected(path))).toEqual([]);
      expect(paths).toEqual(expect.arrayContaining(["LICENSE", "README.md", "dist/index.js", "dist/index.d.ts"]));
    });

    test("has types for the module resolution of bundlers", () =>
      project.compile(files, ["--module", "esnext", "--moduleResolution", "bundler"]));

    test(`compiles and runs the README's example on Node ${nodeVersion}`, async () => {
      await project.compile(files, ["--module", "nodenext"]);
      const client = ticketingClient(stage);
      const events = await collect(paginate(client, "/v1/events"));
      const { baseUrl: BASE_URL, apiKey: API_KEY } = stage;
      const EMAIL = "grace@example.org";
      await stage.put(...purchase(EMAIL));
      const variables = { BASE_URL, API_KEY, EMAIL, EVENT_ID: String(eventIds[4]) };
      const output = await project.run("node", ["example.mjs"], variables);
      assert.deepEqual(output.split("\n"), [
        `organisation ${organisationId}`,
        `${events.length} events`,
        "K7P2QX: Event 3, 2 tickets, 3 payments",
        "balance 1250",
        "404 not_found",
      ]);
    });

    test("has a mirror in its README that keeps whole rows, and none of those that were deleted", async () => {
      await project.compile(files, ["--module", "nodenext"]);
      await writeFile(join(project.directory, "syncOnce.mjs"), syncOnce);
      const server = clientOf(stage.baseUrl, stage.apiKey);
      const event_id = eventIds[5] ?? 0;
      const category = (id: number, name: string) => categoryRecord(organisationId, event_id, id, { name });
      async function assertMirrored(start: Record<string, string>) {
        const { baseUrl: BASE_URL, apiKey: API_KEY } = stage;
        const copy = JSON.parse(await project.run("node", ["syncOnce.mjs"], { BASE_URL, API_KEY, ...start }));
        const changes = await server.rows("/v1/changes?types=ticket_category");
        const expected = changes.filter(({ change }) => change === "upserted");
        assert.ok(expected.some((row) => row.event_id === event_id));
        expect(copy).toEqual(expect.arrayContaining(expected));
        assert.equal(copy.length, expected.length);
      }
      await stage.put(category(8_001, "Stalls"), category(8_002, "Circle"));
      await assertMirrored({});
      // This stage's changes come before those of the examples that wrote through the API.
      const { pagination } = await server.page("/v1/changes", { per_page: 1 });
      await stage.put(category(8_002, "Upper circle"));
      await stage.remove(deletionOf(category(8_001, "Stalls")));
      await assertMirrored({ CURSOR: pagination.resume_cursor ?? "" });
    });
  });
}
