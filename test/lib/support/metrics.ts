import assert from "node:assert/strict";
import { compileFunction } from "node:vm";
import { definitionOf, functionIn, idIn, type Json, only, resourcesOf, type Template } from "./synthesise.ts";

/** The gateway's response to a request. */
export interface Answered {
  status: number;
  latencyMs?: number;
  route?: string;
  /** API Gateway's type of an error response that it made itself. */
  errorType?: string;
  /** Lambda's own status, of the function or the authorizer. */
  integrationStatus?: number;
  authorizerStatus?: number;
}

type Values = Record<string, number>;
/** A number that was sent to CloudWatch some times, without its minute. */
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
  const targetsOf = (source: string) =>
    resourcesOf(template, "AWS::Events::Rule").flatMap(([, { Properties: rule }]) =>
      rule.EventPattern?.source.includes(source) ? [idIn(rule.Targets[0].Arn)] : [],
    );
  const [imports = ""] = targetsOf("aws.s3");
  const [backups] = targetsOf("aws.backup");
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
    wakeUps: idIn(
      mappings.find(
        ([, { Properties }]) =>
          functionIn(template, Properties.FunctionName).properties.Description === "Delivers webhooks",
      )?.[1].Properties.EventSourceArn,
    ),
    deadLetters: {
      "feed-dead-letters": deadLettersOf(feed),
      "bulk-import-dead-letters": deadLettersOf(imports),
      "summaries-failed-records": idIn(ofStream.DestinationConfig.OnFailure.Destination),
      "outgoing-events-failed-records": idIn(SourceParameters.DynamoDBStreamParameters.DeadLetterConfig.Arn),
      "usage-failed-batches": idIn(invocationOf(template, "usage").DestinationConfig.OnFailure.Destination),
      ...(backups && { "failed-backups": backups }),
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
function filteredMetrics(template: Template, accessLog: Json, answered: Answered): Numbers[] {
  const { status, route = "/v1/events", errorType = "-", integrationStatus = 200, authorizerStatus = 200 } = answered;
  const written: Record<string, string> = {
    "$context.status": String(status),
    "$context.resourcePath": route,
    "$context.error.responseType": errorType,
    "$context.integrationStatus": String(integrationStatus),
    "$context.authorizer.integrationStatus": String(authorizerStatus),
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

/** A number that was sent to CloudWatch, once or `times`. */
interface Sample {
  namespace: string;
  name: string;
  dimensions: Record<string, string>;
  minute: number;
  value: number;
  times?: number;
}

type State = "OK" | "ALARM";

/**
 * The state of an alarm of the template at the end of a minute, by "Alarm evaluation" in the CloudWatch user guide: it counts the bad periods
 * among the latest ones. If some have no data, CloudWatch may look at a few periods more; the guide does not say how many.
 */
export function stateOf(template: Template, alarm: Json, samples: Sample[], minute: number): State {
  const { EvaluationPeriods, DatapointsToAlarm = EvaluationPeriods, Threshold, TreatMissingData } = alarm;
  assert.equal(alarm.ComparisonOperator, "GreaterThanThreshold");
  const isMissingBad = TreatMissingData === "breaching";
  assert.ok(isMissingBad || TreatMissingData === "notBreaching");
  const length = periodMinutes(alarm);
  const periods = Array.from({ length: EvaluationPeriods }, (_, periodsAgo) => {
    const last = minute - periodsAgo * length;
    return samples.filter((sample) => sample.minute > last - length && sample.minute <= last);
  });
  const values = periods.map((period) => watchedValue(template, alarm, period));
  const bad = values.filter((value) => (value === undefined ? isMissingBad : value > Threshold));
  return bad.length >= DatapointsToAlarm ? "ALARM" : "OK";
}

/** The period of an alarm, which all of its metrics share. */
export function periodMinutes({ Period, Metrics = [] }: Json): number {
  const periods = new Set<number>(
    [Period, ...Metrics.map(({ MetricStat }: Json) => MetricStat?.Period)].filter((one) => one !== undefined),
  );
  const [seconds, ...others] = periods;
  assert.ok(seconds !== undefined && others.length === 0 && seconds % 60 === 0);
  return seconds / 60;
}

/** The value of one period that an alarm compares with its threshold; undefined if it has no data. */
function watchedValue(template: Template, alarm: Json, samples: Sample[]): number | undefined {
  if (!alarm.Metrics) {
    const { Namespace, MetricName, Dimensions = [], Statistic, ExtendedStatistic } = alarm;
    const metric = { Namespace, MetricName, Dimensions };
    return statisticOf(template, { Metric: metric, Stat: Statistic ?? ExtendedStatistic }, samples);
  }
  assert.ok(alarm.Metrics.length <= 10, "CloudWatch allows at most 10 metrics.");
  const [result, ...others] = alarm.Metrics.filter(({ ReturnData }: Json) => ReturnData !== false);
  assert.deepEqual(others, []);
  const inputs = alarm.Metrics.filter(({ MetricStat }: Json) => MetricStat);
  const variables = inputs.map(({ Id, MetricStat }: Json) => [Id, statisticOf(template, MetricStat, samples)]);
  return calculate(result.Expression, Object.fromEntries(variables));
}

/** The part of metric math that this project uses: numbers of one period, with operators that JavaScript also has. */
export function calculate(expression: string, variables: Record<string, number | undefined>): number | undefined {
  const unfilled = expression.replaceAll(/FILL\(\w+, -?[\d.]+\)/g, "");
  const needed = Object.keys(variables).filter((name) => new RegExp(`\\b${name}\\b`).test(unfilled));
  if (needed.some((name) => variables[name] === undefined)) return undefined;
  const functions = {
    FILL: (value: number | undefined, filling: number) => value ?? filling,
    MAX: (values: number[]) => Math.max(...values),
    IF: (condition: boolean, value: number, other: number) => (condition ? value : other),
  };
  const known = { ...variables, ...functions };
  const value = compileFunction(`return ${expression}`, Object.keys(known))(...Object.values(known));
  return Number.isFinite(value) ? value : undefined;
}

/** A statistic of exactly this metric over the samples of one period; undefined if there are none. */
function statisticOf(template: Template, stat: Json, samples: Sample[]): number | undefined {
  const { Metric, Stat } = stat;
  const dimensions = (Metric.Dimensions ?? []).map(({ Name, Value }: Json) => [Name, nameIn(template, Value)]);
  const id = metricId(Metric.Namespace, Metric.MetricName, Object.fromEntries(dimensions));
  const values = samples
    .filter((sample) => sample.name === Metric.MetricName)
    .filter(({ namespace, name, dimensions }) => metricId(namespace, name, dimensions) === id)
    .toSorted((one, other) => one.value - other.value);
  return values.length === 0 ? undefined : statistic(Stat, values);
}

const sorted = new WeakMap<object, string>();

/** Thousands of samples share their dimensions. */
function metricId(namespace: string, name: string, dimensions: Record<string, string>): string {
  const text = sorted.get(dimensions) ?? JSON.stringify(Object.entries(dimensions).sort());
  sorted.set(dimensions, text);
  return `${namespace} ${name} ${text}`;
}

/** @param samples at least one, with ascending values. */
function statistic(name: string, samples: Pick<Sample, "value" | "times">[]): number {
  const count = samples.reduce((total, { times = 1 }) => total + times, 0);
  const sum = samples.reduce((total, { value, times = 1 }) => total + value * times, 0);
  const percent = Number(/^p(\d+)$/.exec(name)?.[1]);
  if (percent > 0) {
    const place = Math.ceil((percent / 100) * count);
    const upTo = (index: number) => samples.slice(0, index + 1).reduce((total, { times = 1 }) => total + times, 0);
    return samples.find((_, index) => upTo(index) >= place)?.value ?? Number.NaN;
  }
  const known: Record<string, number> = {
    Sum: sum,
    Average: sum / count,
    Maximum: samples.at(-1)?.value ?? 0,
    Minimum: samples[0]?.value ?? 0,
  };
  return known[name] ?? assert.fail(`Unknown statistic ${name}.`);
}

/** A resource's name when deployed: the one that the template gives it, or else its logical id. */
function nameIn(template: Template, value: Json): string {
  if (typeof value === "string") return value;
  const id = value.Ref ?? value["Fn::GetAtt"][0];
  if (id === "AWS::Region") return id;
  const { Type, Properties } = template.Resources[id];
  if (value["Fn::GetAtt"]) assert.deepEqual([Type, value["Fn::GetAtt"][1]], ["AWS::SQS::Queue", "QueueName"]);
  return Properties.StageName ?? Properties.TableName ?? Properties.Name ?? id;
}

/** The alarms, by their sections of the runbook. */
export function alarmsOf(from: Template): Map<string, Json> {
  const all = resourcesOf(from, "AWS::CloudWatch::Alarm").map(([, { Properties }]) => Properties);
  return new Map(all.map((alarm) => [String(/#([\w-]+) /.exec(alarm.AlarmDescription)?.[1]), alarm]));
}

/** The numbers of one minute, in each of these minutes. */
export function minutesOf(minutes: number[], numbers: Numbers[]): Sample[] {
  return minutes.flatMap((minute) => numbers.map((one) => ({ ...one, minute })));
}
