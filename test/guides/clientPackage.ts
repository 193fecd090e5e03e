import assert from "node:assert/strict";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "@jest/globals";
import { paginate, syncChanges, ticketingClient } from "../../clients/typescript/index.ts";
import { collect } from "../support/http/client.ts";
import { type ClientProject, nodeVersion } from "../support/package/installedClient.ts";
import { eventIds, type integratorStage, organisationId } from "../support/service/integratorStage.ts";

const readme = await readFile(new URL("../../clients/typescript/README.md", import.meta.url), "utf8");
const [, example = ""] = /^```ts\n(.*?)^```$/ms.exec(readme) ?? [];

const files = {
  "example.ts": example,
  // Instead of Node's types, which the client does not need.
  "process.d.ts": "declare const process: { env: Record<string, string | undefined> };",
  "misuse.ts": `
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
      const pagesNow = () => collect(syncChanges(client, { types: ["event", "order"] }));
      let pages = await pagesNow();
      let output = "";
      for (let isSame = false; !isSame; ) {
        output = await project.run("node", ["example.js"], { BASE_URL, API_KEY, EVENT_ID: String(eventIds[4]) });
        // A change of an earlier test may pass the horizon meanwhile.
        const later = await pagesNow();
        isSame = later.length === pages.length && later.at(-1)?.changes.length === pages.at(-1)?.changes.length;
        pages = later;
      }
      assert.deepEqual(output.split("\n"), [
        `organisation ${organisationId}`,
        `${events.length} events`,
        ...pages.map(({ changes }) => `${changes.length} changes`),
        "balance 1250",
        "404 not_found",
      ]);
    });
  });
}
