import assert from "node:assert/strict";
import { test } from "@jest/globals";
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
