import assert from "node:assert/strict";
import { test } from "@jest/globals";
import { type ItemKey, itemKeys } from "../../functions/table/itemKeys.ts";
import { type FunctionRole, functionRoles } from "./emulator/functionRoles.ts";
import { missingRights, unneededActions } from "./emulator/missingRights.ts";
import { type NeededRight, neededRights } from "./emulator/recordedCalls.ts";
import { reasonWithoutCall } from "./rightsWithoutCall.ts";
import { emulated } from "./startStage.ts";

/*
 * The functions' roles, and the calls that the functions made in all tests before.
 */

// Read before the tests, because the last of them removes the stage.
const roles = await functionRoles();

test("the functions' roles allow every call that the functions made", async () => {
  const needed = neededRights(emulated.recordedCalls);
  assert.deepEqual(
    needed.filter((right) => !roles.has(right.function)),
    [],
  );
  const missing = await Promise.all(ofEachRole(needed, (own, role) => missingRights(own, role, role.rights)));
  assert.deepEqual(missing.flat(), []);
});

test("without any one of its rights, a role would refuse a call, except for the listed rights", async () => {
  const needed = neededRights(emulated.recordedCalls);
  const unneeded = await Promise.all(
    ofEachRole(needed, async (own, role) => {
      const actions = await unneededActions(own, role);
      const unlisted = actions.filter((action) => reasonWithoutCall(role.description, action) === undefined);
      return unlisted.map((action) => `${role.description}: ${action}`);
    }),
  );
  assert.deepEqual(unneeded.flat(), []);
});

/** The only changes of items by these endpoints. */
const changesOf: Record<string, readonly string[]> = {
  "POST /v1/events/{id}/balance-payments": [
    "PutItem balance",
    "PutItem balance_payment",
    "PutItem idempotency",
    "UpdateItem balance_payment",
  ],
  "PATCH /v1/orders/{id}": ["UpdateItem order"],
};

test("what records balance payments and notes could change nothing else in the table", async () => {
  const resource = `arn:aws:dynamodb:eu-west-1:000000000000:table/${emulated.outputs.TableName}`;
  const tries = Object.entries(itemKeys).flatMap(([type, keyOf]) =>
    ["PutItem", "UpdateItem", "DeleteItem"].map((name) => ({
      name: `${name} ${type}`,
      function: "",
      action: `dynamodb:${name}`,
      resource,
      leadingKeys: [String((keyOf as (...ids: unknown[]) => ItemKey)(1, "2", "3", "4").PK)],
      ...(name === "UpdateItem" && { attributes: ["PK", "SK", "GSI3SK"] }),
    })),
  );
  for (const [description, changes] of Object.entries(changesOf)) {
    const role = [...roles.values()].find((one) => one.description === description) ?? assert.fail(description);
    const refused = new Set<NeededRight>(await missingRights(tries, role, role.rights));
    const allowed = tries.filter((one) => !refused.has(one));
    assert.deepEqual(allowed.map(({ name }) => name).toSorted(), changes);
    // Not even in the items that it may update.
    const others = allowed.flatMap((one) => (one.attributes ? [{ ...one, attributes: ["PK", "SK", "amount"] }] : []));
    assert.deepEqual(await missingRights(others, role, role.rights), others);
  }
});

function ofEachRole<Result>(
  needed: readonly NeededRight[],
  work: (own: NeededRight[], role: FunctionRole) => Result,
): Result[] {
  return [...roles].map(([name, role]) =>
    work(
      needed.filter((right) => right.function === name),
      role,
    ),
  );
}
