import assert from "node:assert/strict";
import { test } from "@jest/globals";
import { type Rehearsed, steps } from "../../../cli/rehearse/steps.ts";
import { takeSteps } from "../../../cli/rehearse/takeSteps.ts";

/** Takes steps of which `destroy` is the only one that is not skipped. */
async function take(stage: Partial<Rehearsed>, choice: { from?: string; before?: string } = {}) {
  const skipped = Object.fromEntries(
    Object.keys(steps)
      .filter((name) => name !== "destroy")
      .map((name) => [name, `no ${name}`]),
  );
  let printed = "";
  const stdout = { write: (text: string) => (printed += text) };
  const whole: Rehearsed = {
    name: "dev",
    environment: {},
    baseUrl: async () => "",
    deploy: async () => undefined,
    destroy: async () => undefined,
    signal: new AbortController().signal,
    ...stage,
  };
  return { code: await takeSteps(whole, { stdout }, { skipped, ...choice }), printed };
}

test("each step prints its reason or its evidence, minutes and dollars, and a table ends the rehearsal", async () => {
  const { code, printed } = await take({});
  assert.equal(code, 0);
  assert.match(printed, /\nsmoke\n {2}skipped: no smoke\nsmoke +skipped +0\.0 +0\.00\n/);
  assert.match(printed, /\ndestroy\n {2}Both stacks are deleted\.\ndestroy +passed +0\.0 +0\.00\n/);
  const table = printed.slice(printed.indexOf("\nstep "));
  assert.match(table, /^\nstep +result +minutes +US\$\nquotas +skipped +0\.0 +0\.00\n/);
  assert.equal(table.match(/^\S+ +(passed|skipped) +0\.0 +0\.00$/gm)?.length, Object.keys(steps).length);
  assert.doesNotMatch(printed, /Go on with/);
});

test("an interruption between two steps names the next one, and within a step that one", async () => {
  const interruption = new AbortController();
  const between = await take({ signal: interruption.signal, destroy: async () => interruption.abort() });
  assert.equal(between.code, 1);
  assert.match(
    between.printed,
    /\ndestroy +passed [\s\S]*\nGo on with: npm run ops -- rehearse --stage dev --from leftovers\n/,
  );
  const within = await take({
    destroy: async () => {
      throw new Error("The operation was aborted");
    },
  });
  assert.equal(within.code, 1);
  assert.match(
    within.printed,
    /The operation was aborted\ndestroy +FAILED [\s\S]*Go on with: .* --from destroy\nOr remove the stage/,
  );
  assert.doesNotMatch(within.printed, /\nleftovers\n/);
});
