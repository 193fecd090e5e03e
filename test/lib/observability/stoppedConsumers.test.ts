import assert from "node:assert/strict";
import { describe, test } from "@jest/globals";
import { endpoints } from "../../../functions/endpoints/index.ts";
import { operationsWithEvents } from "../../../lib/observability/observedMetrics.ts";
import { alarmsOf, minutesOf } from "../support/alarms.ts";
import { awsMetrics, type Numbers, watchedIds } from "../support/awsMetrics.ts";
import { stateOf } from "../support/cloudWatch.ts";
import { synthesise } from "../support/synthesise.ts";

const { template } = await synthesise({ stage: "prod" });
const ids = watchedIds(template);
const aws = awsMetrics(template);
const alarms = alarmsOf(template);

describe("the alarms of stopped consumers", () => {
  const stateOfMinutes = (section: string, minutes: Numbers[][]) =>
    stateOf(
      template,
      alarms.get(section),
      minutes.flatMap((numbers, minute) => minutesOf([minute], numbers)),
      minutes.length - 1,
    );
  const write = aws.table({}, { ConsumedWriteCapacityUnits: 3 });
  const poll = (count: number) => aws.mapping(ids.summariesMapping, { PolledEventCount: count });
  const half = Array.from({ length: 30 }, (_, minute) => minute);

  test("ignore writes that change nothing, such as repeated imports", () => {
    assert.equal(
      stateOfMinutes(
        "summaries-stopped",
        half.map(() => [...write, ...poll(0)]),
      ),
      "OK",
    );
  });

  test("ignore a single change whose event arrives in the next window", () => {
    const change = aws.own("updateOrder", { changes: 1 });
    const call = aws.lambda(ids.outgoingEvents, { Invocations: 1 });
    const night = half.map((minute) => (minute === 14 ? change : minute === 15 ? call : []));
    assert.equal(stateOfMinutes("outgoing-events-stopped", night), "OK");
  });

  test("see a consumer that stops while there is steady work", () => {
    const change = aws.own("recordBalancePayment", { changes: 1 });
    const call = aws.lambda(ids.outgoingEvents, { Invocations: 1 });
    const stopsAt = (stop: number, work: Numbers[], consumed: Numbers[]) =>
      half.map((minute) => [...work, ...(minute < stop ? consumed : [])]);
    for (const [section, work, consumed] of [
      ["summaries-stopped", write, poll(1)],
      ["outgoing-events-stopped", change, call],
    ] as const) {
      assert.equal(stateOfMinutes(section, stopsAt(15, work, consumed)), "ALARM");
      assert.equal(stateOfMinutes(section, stopsAt(20, work, consumed)), "OK");
    }
  });

  test("know every operation whose changes clients make with an API key", () => {
    const changing = endpoints.filter(({ method, caller }) => method !== "GET" && caller.scheme === "apiKey");
    assert.deepEqual(changing.map(({ operationId }) => operationId).sort(), [...operationsWithEvents].sort());
  });

  test("have the mapping's metrics, which Lambda sends only if asked", () => {
    assert.deepEqual(template.Resources[ids.summariesMapping].Properties.MetricsConfig, { Metrics: ["EventCount"] });
  });
});
