import assert from "node:assert/strict";
import { test } from "@jest/globals";
import client from "../../../clients/typescript/package.json" with { type: "json" };
import api from "../../../package.json" with { type: "json" };

test("the client has the API's version", () => {
  assert.equal(client.version, api.version);
});
