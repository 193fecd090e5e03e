import assert from "node:assert/strict";
import type { Sample } from "./cloudWatch.ts";
import { functionIn, idIn, type Json, only, resourcesOf, type Template } from "./synthesise.ts";

/** A request as the gateway answered it. */
export interface Answered {
  status: number;
  latencyMs?: number;
  /** API Gateway's type of its own error answer. */
  errorType?: string;
}

type Values = Record<string, number>;
/** What is sent of one metric within some minute. */
export type Numbers = Omit<Sample, "minute">;

/** What AWS sends to CloudWatch about the resources of a template, by the metrics' pages in each service's guide. */
export function awsMetrics(template: Template) {
  const api = only(template, "AWS::ApiGateway::RestApi").Properties.Name;
  const stage = only(template, "AWS::ApiGateway::Stage").Properties;
  const webAcl = only(template, "AWS::WAFv2::WebACL").Properties;
  const [tableName = ""] = resourcesOf(template, "AWS::DynamoDB::GlobalTable")[0] ?? [];
  const [pipeName = ""] = resourcesOf(template, "AWS::Pipes::Pipe")[0] ?? [];

  return {
    request: (answered: Answered): Numbers[] => [
      ...gatewayMetrics(api, stage.StageName, answered),
      ...filteredMetrics(template, stage.AccessLogSetting, answered),
    ],
    /** Lambda sums each metric up over the functions of the account too, without a dimension. */
    lambda: (functionId: string, values: Values): Numbers[] =>
      numbers("AWS/Lambda", [{ FunctionName: functionId }, {}], values),
    queue: (queueId: string, values: Values): Numbers[] => numbers("AWS/SQS", [{ QueueName: queueId }], values),
    table: (dimensions: Record<string, string>, values: Values): Numbers[] =>
      numbers("AWS/DynamoDB", [{ TableName: tableName, ...dimensions }], values),
    webAcl: (values: Values): Numbers[] =>
      numbers(
        "AWS/WAFV2",
        [{ WebACL: webAcl.VisibilityConfig.MetricName, Region: "AWS::Region", Rule: "ALL" }],
        values,
      ),
    pipe: (values: Values): Numbers[] => numbers("AWS/EventBridge/Pipes", [{ PipeName: pipeName }], values),
  };
}

/** Where things are in a template, found by what they do and not by the alarms that watch them. */
export function watchedIds(template: Template) {
  const mappings = resourcesOf(template, "AWS::Lambda::EventSourceMapping").map(([, { Properties }]) => Properties);
  const feed = idIn(template.Outputs.FeedQueueUrl.Value);
  const deadLettersOf = (queueId: string) =>
    idIn(template.Resources[queueId].Properties.RedrivePolicy.deadLetterTargetArn);
  const imports = idIn(only(template, "AWS::Events::Rule").Properties.Targets[0].Arn);
  const ofStream = mappings.find(({ StartingPosition }) => StartingPosition);
  const { SourceParameters } = only(template, "AWS::Pipes::Pipe").Properties;
  return {
    authorizers: resourcesOf(template, "AWS::ApiGateway::Authorizer").map(
      ([, { Properties }]) => functionIn(template, Properties.AuthorizerUri).id,
    ),
    anyFunction: resourcesOf(template, "AWS::Lambda::Function")[0]?.[0] ?? "",
    summaries: functionIn(template, ofStream.FunctionName).id,
    feed,
    deadLetters: {
      "feed-dead-letters": deadLettersOf(feed),
      "bulk-import-dead-letters": deadLettersOf(imports),
      "summaries-failed-records": idIn(ofStream.DestinationConfig.OnFailure.Destination),
      "outgoing-events-failed-records": idIn(SourceParameters.DynamoDBStreamParameters.DeadLetterConfig.Arn),
    },
  };
}

function numbers(namespace: string, dimensionSets: Record<string, string>[], values: Values): Numbers[] {
  return dimensionSets.flatMap((dimensions) =>
    Object.entries(values).map(([name, value]) => ({ namespace, name, dimensions, value })),
  );
}

/** https://docs.aws.amazon.com/apigateway/latest/developerguide/api-gateway-metrics-and-dimensions.html */
function gatewayMetrics(ApiName: string, Stage: string, { status, latencyMs = 50 }: Answered): Numbers[] {
  const isOf = (hundreds: number) => Number(Math.floor(status / 100) === hundreds);
  const values = { Count: 1, "4XXError": isOf(4), "5XXError": isOf(5), Latency: latencyMs };
  return numbers("AWS/ApiGateway", [{ ApiName }, { ApiName, Stage }], values);
}

/** What the template's metric filters make of the line that the gateway writes to its access log. */
function filteredMetrics(template: Template, accessLog: Json, { status, errorType = "-" }: Answered): Numbers[] {
  const written: Record<string, string> = {
    "$context.status": String(status),
    "$context.error.responseType": errorType,
  };
  const line: Record<string, string> = JSON.parse(accessLog.Format, (_name, value) => written[value] ?? value);
  const filters = resourcesOf(template, "AWS::Logs::MetricFilter").map(([, { Properties }]) => Properties);
  return filters.flatMap(({ LogGroupName, FilterPattern, MetricTransformations: [transformation] }) => {
    assert.ok(JSON.stringify(accessLog.DestinationArn).includes(`"Ref":"${idIn(LogGroupName)}"`));
    const [, field = "", expected] = /^\{ \$\.(\w+) = "([^"]*)" \}$/.exec(FilterPattern) ?? [];
    assert.ok(field in line, FilterPattern);
    const value = line[field] === expected ? Number(transformation.MetricValue) : transformation.DefaultValue;
    return numbers(transformation.MetricNamespace, [{}], { [transformation.MetricName]: value });
  });
}
