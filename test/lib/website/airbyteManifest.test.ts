import assert from "node:assert/strict";
import { test } from "@jest/globals";
import { changingTypes } from "../../../functions/resources/index.ts";
import { airbyteManifest } from "../../../lib/website/airbyteManifest.ts";

test("Airbyte's manifest has a stream of changes for each type, and one for each list without a parent", () => {
  const streams = airbyteManifest().streams.map(({ name }) => name);
  assert.deepEqual(streams, [...changingTypes, "events", "dates", "orders", "payments"]);
});
