import assert from "node:assert/strict";
import { test } from "@jest/globals";
import * as z from "zod";
import { openApiDocument } from "../../../functions/api/openapi/document.ts";
import { endpoints } from "../../../functions/endpoints/index.ts";
import { textOf } from "../../support/http/send.ts";
import { one } from "../../support/service/testedService.ts";

const ofKeys = endpoints.filter(({ caller, method }) => caller.scheme === "apiKey" && method === "GET");
const { paths } = openApiDocument(ofKeys, { version: "" });
const Rows = z.object({ data: z.array(z.unknown()) });

for (const [path, item] of Object.entries(paths))
  for (const { operationId, parameters } of Object.values(item))
    test(`${operationId} with the document's example parameters returns demo data`, async () => {
      let target = path;
      const query = new URLSearchParams();
      const headers: Record<string, string> = {};
      for (const { name, in: location, example } of parameters) {
        if (location === "path") target = target.replace(`{${name}}`, String(example));
        else if (example !== undefined && location === "query") query.set(name, String(example));
        else if (example !== undefined) headers[name] = String(example);
      }
      const answer = await one.get(`${target}?${query}`, headers);
      assert.equal(answer.status, 200, textOf(answer));
      const { data: page } = Rows.safeParse(JSON.parse(textOf(answer)));
      if (page) assert.ok(page.data.length > 0, "The page is empty.");
    });
