import assert from "node:assert/strict";
import { test } from "@jest/globals";
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

test("the saved query for a request finds all of its lines by their trace", () => {
  const { QueryString } = only(template, "AWS::Logs::QueryDefinition").Properties;
  const query: string = QueryString["Fn::Join"][1].map((part: Json) => part.Ref ?? part).join("");
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
