import assert from "node:assert/strict";
import { test } from "@jest/globals";
import { localUrl, withAddress } from "../../../lib/website/address.ts";
import { n8nWorkflow } from "../../../lib/website/n8nWorkflow.ts";
import { nodeRedFlow } from "../../../lib/website/nodeRedFlow.ts";
import { postmanCollection } from "../../../lib/website/postmanCollection.ts";

const baseUrl = "https://api.example.org";
const files = { postmanCollection, n8nWorkflow, nodeRedFlow };

for (const [name, file] of Object.entries(files)) {
  test(`a deployment's address replaces the local one in ${name}`, () => {
    assert.ok(JSON.stringify(file()).includes(localUrl));
    assert.deepEqual(withAddress(file(), baseUrl), JSON.parse(JSON.stringify(file(baseUrl))));
    assert.ok(!JSON.stringify(withAddress(file(), baseUrl)).includes(localUrl));
  });
}
