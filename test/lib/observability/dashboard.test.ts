import assert from "node:assert/strict";
import { describe, test } from "@jest/globals";
import { objectives } from "../../../lib/observability/dashboard.ts";
import { calculate } from "../support/alarms.ts";
import { type Json, only, resourcesOf, synthesise } from "../support/synthesise.ts";

const { template } = await synthesise({ stage: "prod" });

const dashboard = only(template, "AWS::CloudWatch::Dashboard").Properties;
const { widgets } = JSON.parse(
  dashboard.DashboardBody["Fn::Join"][1]
    .map((part: Json) => (typeof part === "string" ? part : (part.Ref ?? "x")))
    .join(""),
);
const functions = resourcesOf(template, "AWS::Lambda::Function").map(([, { Properties }]) => Properties);

test("every function reports its metrics in the stage's namespace, in which the dashboard searches", () => {
  // CDK's own functions log text.
  for (const { Environment, LoggingConfig, Description } of functions)
    if (LoggingConfig.LogFormat === "JSON")
      assert.equal(Environment.Variables.POWERTOOLS_METRICS_NAMESPACE, "ticketing-prod", Description);
  const searches = [...JSON.stringify(widgets).matchAll(/SEARCH\('\{(.+?)\} MetricName=/g)];
  assert.ok(searches.length > 0);
  for (const [, schema = ""] of searches) assert.equal(schema.replaceAll(/[\\"]/g, ""), "ticketing-prod,operation_id");
});

describe("the dashboard", () => {
  /** The value that a widget shows, from the values of its metrics. */
  function shown(title: RegExp, values: Record<string, number>): number | undefined {
    const { metrics } = titled(title);
    const variables = metrics.flatMap((metric: Json[]) => {
      const { id, stat } = metric.at(-1);
      return typeof metric[0] === "string" ? [[id, values[String(stat === "Sum" ? metric[1] : stat)]]] : [];
    });
    const [{ expression }] = metrics[0];
    return calculate(expression, Object.fromEntries(variables));
  }
  const titled = (title: RegExp) => widgets.find(({ properties }: Json) => title.test(properties.title)).properties;

  test("shows the availability of 28 days and what is left of its error budget", () => {
    const with5xx = (failures: number) => ({ Count: 1_000_000, "5XXError": failures });
    assert.equal(objectives.available, 99.9);
    for (const [failures, available, left] of [
      [0, 100, 100],
      [250, 99.975, 75],
      [1_000, 99.9, 0],
      [2_000, 99.8, -100],
    ] as const) {
      assert.equal(shown(/without a 5xx/, with5xx(failures))?.toFixed(6), available.toFixed(6));
      assert.equal(Number(shown(/budget left for 5xx/, with5xx(failures))?.toFixed(6)), left);
    }
  });

  test("shows what is left of the error budget of slow requests", () => {
    assert.deepEqual([objectives.fast, objectives.fastMs], [99, 1_000]);
    for (const [share, left] of [
      [100, 100],
      [99.5, 50],
      [98, -100],
    ] as const)
      assert.equal(Number(shown(/budget left for slow/, { "PR(:1000)": share })?.toFixed(6)), left);
  });
});

describe("the saved query for a request", () => {
  const { QueryString } = only(template, "AWS::Logs::QueryDefinition").Properties;
  const query: string = QueryString["Fn::Join"][1].map((part: Json) => part.Ref ?? part).join("");

  test("finds the gateway's, the authorizers', the functions' and Lambda's own lines by their trace", () => {
    const [, pattern = ""] = /^parse @message \/(.+)\/\n/.exec(query) ?? [];
    const id = "1-65f0c0de-0123456789abcdef01234567";
    const { AccessLogSetting } = only(template, "AWS::ApiGateway::Stage").Properties;
    for (const line of [
      AccessLogSetting.Format.replace("$context.xrayTraceId", id),
      JSON.stringify({ message: "authorization", xray_trace_id: id }),
      JSON.stringify({
        type: "platform.report",
        record: { requestId: "8e8c2d4a", status: "timeout", tracing: { value: `Root=${id};Parent=0b;Sampled=0` } },
      }),
    ])
      assert.equal(new RegExp(pattern).exec(line)?.groups?.trace, id);
    assert.match(
      query,
      /filter trace in \(SOURCE 'ApiAccessLog\w+' .* filter request_id = "REQUEST_ID" \| fields trace\)/,
    );
  });
});
