import assert from "node:assert/strict";
import { appendFileSync } from "node:fs";
import { availableParallelism } from "node:os";
import { join } from "node:path";
import { test } from "@jest/globals";
import { apiKeyRepository } from "../../functions/keys/apiKeyRepository.ts";
import { openTable } from "../../functions/table/table.ts";
import { functionEntryPoints } from "../../lib/bundleFunctions.ts";
import { eventRecord, someone } from "../support/data/records.ts";
import { type DeployedFunction, deployedFunctions, synthesiseStage, unpacked } from "./lambda/deployedFunctions.ts";
import { authorization, type Call, importOf, jobs, requests } from "./lambda/events.ts";
import { callOnce } from "./lambda/lambdaEmulator.ts";
import { startSurroundings } from "./lambda/surroundings.ts";

/*
 * The functions of a synthesised stage in AWS's runtime interface client and emulator.
 */

const assembly = await synthesiseStage();
const { resolve, variables, store, provider } = await startSurroundings(assembly);
const functions = deployedFunctions(assembly, resolve);
const { key } = await apiKeyRepository(1, openTable()).create("Test", ["read"], someone);

const calls: Record<string, Call> = {
  ...requests,
  ...jobs,
  apiKeyAuthorizer: authorization(key),
  superAdminAuthorizer: authorization(await provider.sign(provider.claims())),
  bulkImport: importOf({ ...store.put("imports/a.ndjson", `${JSON.stringify(eventRecord(1, 2))}\n`) }),
};

/** Calls a function with its event, in a copy of its code that may be changed before. */
async function answerOf(deployed: DeployedFunction, change = (_directory: string) => {}) {
  const directory = unpacked(deployed);
  change(directory);
  const own = { ...deployed, variables: { ...variables, ...deployed.variables } };
  return callOnce(own, directory, calls[deployed.name]?.event);
}

function named(name: string): DeployedFunction {
  const found = functions.find((one) => one.name === name);
  if (!found) throw new Error(`The stage has no function ${name}.`);
  return found;
}

test("every function of a stage starts in Lambda's runtime and responds to an event of its kind", async () => {
  assert.deepEqual(functions.map(({ name }) => name).toSorted(), Object.keys(functionEntryPoints).toSorted());
  assert.deepEqual([...new Set(functions.map(({ runtime }) => runtime))], ["nodejs24.x"]);
  assert.match(process.version, /^v24\./);
  const faults: string[] = [];
  const left = [...functions];
  const callAll = async () => {
    for (let deployed = left.pop(); deployed; deployed = left.pop()) {
      const { answer, log } = await answerOf(deployed);
      try {
        calls[deployed.name]?.assertAnswer(answer);
      } catch {
        faults.push(`${deployed.name} returned ${JSON.stringify(answer)}\n${log}`);
      }
    }
  };
  await Promise.all(Array.from({ length: availableParallelism() }, callAll));
  assert.equal(faults.join("\n"), "");
  assert.ok(store.get("reports/a.ndjson.json"));
});

test("a function whose bundle needs a file or a module outside itself does not respond", async () => {
  const getEvent = named("getEvent");
  const load = (module: string) => (directory: string) =>
    appendFileSync(join(directory, "index.js"), `import ${JSON.stringify(module)};`);
  for (const module of ["zod", "./missing.js"]) {
    const { answer } = await answerOf(getEvent, load(module));
    assert.match(JSON.stringify(answer), /Cannot find (package 'zod'|module '.*missing.js')/);
  }
});
