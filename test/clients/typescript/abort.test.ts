import assert from "node:assert/strict";
import { describe, test } from "@jest/globals";
import { anySignal, delay } from "../../../clients/typescript/retryingFetch.ts";

describe("anySignal", () => {
  test("aborts with the reason of the first signal that aborts", () => {
    const controllers = [new AbortController(), new AbortController()];
    const signal = anySignal(controllers.map((controller) => controller.signal));
    assert.equal(signal.aborted, false);
    controllers[1]?.abort("second");
    controllers[0]?.abort("first");
    assert.equal(signal.reason, "second");
  });

  test("has aborted if one of the signals has", () => {
    assert.equal(anySignal([new AbortController().signal, AbortSignal.abort("before")]).reason, "before");
  });
});

describe("delay", () => {
  const minuteMs = 60_000;

  test("ends after the delay", async () => {
    await delay(1, new AbortController().signal);
  });

  test("rejects with the signal's reason when the signal aborts or has aborted", async () => {
    const controller = new AbortController();
    const delayed = delay(minuteMs, controller.signal);
    controller.abort(new Error("during"));
    await assert.rejects(delayed, { message: "during" });
    await assert.rejects(delay(minuteMs, AbortSignal.abort(new Error("before"))), { message: "before" });
  });
});
