import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { feedLines, monthLines, requestLines, sum } from "../../cli/cost/bill.ts";
import { costTables } from "../../cli/cost/costTables.ts";
import { mix, monthSeconds, stage, workloads } from "../../cli/cost/workload.ts";
import { resourcesOf, synthesise } from "../lib/synthesise.ts";

test("the tables of docs/operators/cost.md are those that the prices and the workloads give", () => {
  const page = readFileSync("docs/operators/cost.md", "utf8");
  for (const [name, table] of Object.entries(costTables())) {
    const [, shown] = new RegExp(`<!-- ${name} -->\n\n?(.*?)\n?\n<!-- /${name} -->`, "s").exec(page) ?? [];
    assert.equal(shown, table, name);
  }
});

test("a hundred requests are a hundred", () => {
  assert.equal(
    Object.values(mix).reduce((total, { share }) => total + share, 0),
    100,
  );
});

test("what is there all the time is what the template has", () => {
  const { template } = synthesise({ stage: "prod" });
  const [[, acl] = []] = resourcesOf(template, "AWS::WAFv2::WebACL");
  assert.equal(stage.webAclRules, acl?.Properties.Rules.length);
  const metrics = resourcesOf(template, "AWS::CloudWatch::Alarm").map(
    ([, { Properties }]) =>
      Properties.Metrics?.filter(({ MetricStat }: { MetricStat?: unknown }) => MetricStat).length ?? 1,
  );
  assert.equal(
    stage.alarmMetrics,
    metrics.reduce((total, count) => total + count, 0),
  );
  assert.equal(stage.dashboards, resourcesOf(template, "AWS::CloudWatch::Dashboard").length);
  const [[, { Properties }] = ["", { Properties: {} }]] = resourcesOf(template, "AWS::Lambda::Function").filter(
    ([, { Properties }]) => Properties.Environment?.Variables.TABLE_NAME,
  );
  assert.equal(stage.memoryGB, Properties.MemorySize / 1024);
});

test("a month costs its requests, its records and what is there all the time; and the gateway's second tier is cheaper", () => {
  for (const workload of workloads) {
    const lines = monthLines(workload);
    const requests = requestLines(workload.requestsPerSecond * monthSeconds, monthSeconds);
    const records = feedLines(workload.feedRecordsPerSecond * monthSeconds);
    assert.deepEqual(lines.slice(0, requests.length + records.length), [...requests, ...records]);
    assert.ok(sum(lines) > sum(requests) + sum(records));
  }
  const gatewayUsd = (requests: number) => Math.round(requestLines(requests, monthSeconds)[0]?.usd ?? 0);
  assert.deepEqual([gatewayUsd(1e6), gatewayUsd(333e6), gatewayUsd(433e6)], [4, 1166, 1446]);
});
