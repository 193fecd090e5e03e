import assert from "node:assert/strict";
import { test } from "@jest/globals";
import { apiKeyRepository } from "../../../functions/keys/apiKeyRepository.ts";
import { openTable } from "../../../functions/table/table.ts";
import { demoKeys } from "../../../local/demo/demoKeys.ts";
import { someone } from "../../support/data/records.ts";
import { useTestTable } from "../../support/data/testTable.ts";

test("a later start keeps the keys that still work, and replaces a revoked one", async () => {
  await useTestTable();
  const earlier = await demoKeys([]);
  const keys = apiKeyRepository(1, openTable());
  const { data } = await keys.list({ per_page: 10, cursor: undefined });
  await keys.revoke(data.find(({ name }) => name === "All scopes")?.id ?? "", someone);
  const later = await demoKeys(earlier);
  const isReplaced = later.map(({ keys }, at) => keys.map(({ key }, of) => key !== earlier[at]?.keys[of]?.key));
  assert.deepEqual(isReplaced, [
    [false, true],
    [false, false],
    [false, false],
  ]);
});
