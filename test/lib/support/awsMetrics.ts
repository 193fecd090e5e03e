import assert from "node:assert/strict";
import type { Sample } from "./cloudWatch.ts";
import { definitionOf, functionIn, idIn, type Json, only, resourcesOf, type Template } from "./synthesise.ts";

/** The gateway's response to a request. */
export interface Answered {
  status: number;
  latencyMs?: number;
  /** API Gateway's type of an error response that it made itself. */
  errorType?: string;
}

type Values = Record<string, number>;
/** A sample without its minute. */
export type Numbers = Omit<Sample, "minute">;

/** The samples that AWS sends to CloudWatch for a template's resources, from the metrics pages of each service's guide. */
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
    /** Lambda also sums each metric over all functions of the account, without a dimension. */
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
    /** Lambda sends these only while the mapping is enabled. */
    mapping: (EventSourceMappingUUID: string, values: Values): Numbers[] =>
      numbers("AWS/Lambda", [{ EventSourceMappingUUID }], values),
    /** The metrics in a function's log lines. */
    own: (operation_id: string, values: Values): Numbers[] => numbers(api, [{ operation_id }], values),
    probe: (values: Values): Numbers[] =>
      numbers(
        "CloudWatchSynthetics",
        [{ CanaryName: only(template, "AWS::Synthetics::Canary").Properties.Name }],
        values,
      ),
    pipe: (values: Values): Numbers[] => numbers("AWS/EventBridge/Pipes", [{ PipeName: pipeName }], values),
  };
}

/** The ids of the resources that alarms watch, found by what they do rather than through the alarms. */
export function watchedIds(template: Template) {
  const mappings = resourcesOf(template, "AWS::Lambda::EventSourceMapping");
  const feed = idIn(template.Outputs.FeedQueueUrl.Value);
  const deadLettersOf = (queueId: string) =>
    idIn(template.Resources[queueId].Properties.RedrivePolicy.deadLetterTargetArn);
  const [ofFiles] = resourcesOf(template, "AWS::Events::Rule").filter(([, { Properties }]) => Properties.EventPattern);
  const imports = idIn(ofFiles?.[1].Properties.Targets[0].Arn);
  const [summariesMapping = "", { Properties: ofStream }] =
    mappings.find(([, { Properties }]) => Properties.StartingPosition) ?? assert.fail();
  const { SourceParameters, Enrichment } = only(template, "AWS::Pipes::Pipe").Properties;
  return {
    authorizers: Object.values<Json>(definitionOf(template).components.securitySchemes).map(
      (scheme) => functionIn(template, scheme["x-amazon-apigateway-authorizer"].authorizerUri).id,
    ),
    anyFunction: resourcesOf(template, "AWS::Lambda::Function")[0]?.[0] ?? "",
    summaries: functionIn(template, ofStream.FunctionName).id,
    summariesMapping,
    outgoingEvents: functionIn(template, Enrichment).id,
    feed,
    imports,
    deadLetters: {
      "feed-dead-letters": deadLettersOf(feed),
      "bulk-import-dead-letters": deadLettersOf(imports),
      "summaries-failed-records": idIn(ofStream.DestinationConfig.OnFailure.Destination),
      "outgoing-events-failed-records": idIn(SourceParameters.DynamoDBStreamParameters.DeadLetterConfig.Arn),
      "usage-failed-batches": idIn(invocationOf(template, "usage").DestinationConfig.OnFailure.Destination),
    },
  };
}

/** How a function is called without waiting for its result, by a part of the id of its version. */
export function invocationOf(template: Template, name: string): Json {
  const [found] = resourcesOf(template, "AWS::Lambda::EventInvokeConfig").filter(([id]) => id.includes(name));
  return found?.[1].Properties ?? assert.fail(name);
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

/** The samples that the template's metric filters take from the gateway's access log line. */
function filteredMetrics(template: Template, accessLog: Json, { status, errorType = "-" }: Answered): Numbers[] {
  const written: Record<string, string> = {
    "$context.status": String(status),
    "$context.error.responseType": errorType,
  };
  const line: Record<string, string> = JSON.parse(accessLog.Format, (_name, value) => written[value] ?? value);
  const filters = resourcesOf(template, "AWS::Logs::MetricFilter").map(([, { Properties }]) => Properties);
  return filters.flatMap(({ LogGroupName, FilterPattern, MetricTransformations: [transformation] }) => {
    assert.ok(JSON.stringify(accessLog.DestinationArn).includes(`"Ref":"${idIn(LogGroupName)}"`));
    const conditions = [...FilterPattern.matchAll(/\$\.(\w+) = "([^"]*)"/g)];
    assert.equal(
      FilterPattern.replaceAll(/\(?\$\.\w+ = "[^"]*"\)?/g, "x"),
      `{ ${conditions.map(() => "x").join(" || ")} }`,
    );
    for (const [, field = ""] of conditions) assert.ok(field in line, FilterPattern);
    const matches = conditions.some(([, field = "", expected]) => line[field] === expected);
    const value = matches ? Number(transformation.MetricValue) : transformation.DefaultValue;
    return numbers(transformation.MetricNamespace, [{}], { [transformation.MetricName]: value });
  });
}
