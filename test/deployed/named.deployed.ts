import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "@jest/globals";
import * as z from "zod";
import { TokenHolder } from "../support/service/stageDescription.ts";
import { makeKeys } from "./people.ts";
import { runPromises } from "./runPromises.ts";

/*
 * The promises at an existing stage. SERVICE_DESCRIPTION names a file that lists its people:
 * {"people": [{"organisation_id": 1, "role": "super-admin", "id_token": "…"}, …]}. The stage has the records of local/demo/records.ndjson.
 */

const Environment = z.object({ BASE_URL: z.url(), SERVICE_DESCRIPTION: z.string() });
const { BASE_URL: baseUrl, SERVICE_DESCRIPTION: file } = Environment.parse(process.env);
const { people } = z.object({ people: z.array(TokenHolder) }).parse(JSON.parse(readFileSync(file, "utf8")));

test("every promise over HTTP holds", async () => {
  const organisations = await makeKeys(baseUrl, people);
  const { passed, failures } = await runPromises({ baseUrl, people, organisations });
  assert.deepEqual(Object.fromEntries(failures), {});
  console.log(`${passed} promises hold.`);
});
