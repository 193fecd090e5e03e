import assert from "node:assert/strict";
import { test } from "@jest/globals";
import { openApiDocument } from "../../../functions/api/openapi/document.ts";
import { listEndpoint } from "../../../functions/api/resourceEndpoints.ts";
import { argumentsOf, describeTool, toolsOf } from "../../../functions/mcp/tools.ts";
import { discounts } from "../../../functions/resources/discount.ts";
import { resources } from "../../../functions/resources/index.ts";
import { byId, resource } from "../../../functions/resources/resource.ts";
import { trimmed } from "../../../functions/values/lookUp.ts";
import { pythonReads } from "../../../packages/client-python/generate/pythonReads.ts";

/** Discounts with a list of all, a look-up and an expansion, none of which the service declares. */
const findable = resource({
  ...discounts,
  short: ["id", "code"],
  lists: {
    ...discounts.lists,
    all: { index: "GSI2", all: "ALLDISCOUNTS", order: byId },
    byCode: {
      index: "GSI4",
      lookUp: "code",
      description: "Only discounts with this code.",
      normalise: trimmed,
      order: byId,
    },
  },
  expand: { event: { one: "event", field: "event_id" } },
});
const listDiscounts = listEndpoint(findable, "all", {
  operationId: "listDiscounts",
  path: "/v1/discounts",
  tag: "Discounts",
  summary: "List discounts",
  expands: resources,
});
const document = openApiDocument([listDiscounts], { version: "1.0.0" });

test("a declared look-up and expansion are in the OpenAPI document, with their parameters and the rows' schema", () => {
  const { parameters = [] } = document.paths["/v1/discounts"]?.get ?? {};
  const [code, expand] = ["code", "expand"].map((name) => parameters.find((one) => one.name === name));
  assert.deepEqual([code?.description, code?.required], ["Only discounts with this code.", false]);
  assert.deepEqual(expand?.schema.items, { type: "string", enum: ["event"] });
  assert.ok(document.components.schemas.ExpandedDiscount?.properties?.event);
});

test("a declared look-up and expansion are arguments of the resource's tool", () => {
  const { list_discounts: tool = assert.fail() } = toolsOf([listDiscounts]);
  assert.deepEqual(Object.keys(argumentsOf(tool)).sort(), ["code", "cursor", "expand", "fields", "per_page"]);
  assert.equal(describeTool("list_discounts", tool).description, "List discounts.");
});

test("a declared look-up and expansion are arguments of the Python client's method", () => {
  const signature = 'discounts(self, *, code: str | None = None, expand: Sequence[Literal["event"]] = ())';
  assert.ok(pythonReads(document).includes(`def ${signature} -> Iterator[t.ExpandedDiscount]:`));
});
