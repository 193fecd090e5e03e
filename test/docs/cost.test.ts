import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "@jest/globals";
import { type Json, only, resourcesOf, synthesise } from "../lib/support/synthesise.ts";

test("docs/operators/cost.md states the template's numbers of alarm metrics, dashboards, rules and secrets, and its memory", async () => {
  const { template } = await synthesise({ stage: "prod" });
  const metricsOf = ({ Metrics }: Json) => Metrics?.filter(({ MetricStat }: Json) => MetricStat).length ?? 1;
  const alarmMetrics = resourcesOf(template, "AWS::CloudWatch::Alarm").reduce(
    (total, [, { Properties }]) => total + metricsOf(Properties),
    0,
  );
  only(template, "AWS::CloudWatch::Dashboard");
  const rules = only(template, "AWS::WAFv2::WebACL").Properties.Rules.length;
  const [memory] = resourcesOf(template, "AWS::Lambda::Function")
    .filter(([, { Properties }]) => Properties.Environment?.Variables.TABLE_NAME)
    .map(([, { Properties }]) => Properties.MemorySize);

  const page = readFileSync("docs/operators/cost.md", "utf8");
  for (const quantity of [
    `${alarmMetrics} metrics of alarms and one dashboard`,
    `one web ACL and ${rules} rules`,
    `${resourcesOf(template, "AWS::SecretsManager::Secret").length} secrets`,
    `${memory.toLocaleString("en")} MB`,
  ]) {
    assert.ok(page.includes(quantity), quantity);
  }
});
