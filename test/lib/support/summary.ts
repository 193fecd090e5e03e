import type { Json, Template } from "./synthesise.ts";

/** The resources of which every property is reviewed. */
const wholeTypes = [
  "AWS::Backup::BackupPlan",
  "AWS::Cognito::UserPool",
  "AWS::Cognito::UserPoolClient",
  "AWS::Events::Rule",
  "AWS::Lambda::EventInvokeConfig",
  "AWS::Lambda::EventSourceMapping",
  "AWS::Logs::SubscriptionFilter",
  "AWS::Pipes::Pipe",
  "AWS::SQS::Queue",
  "AWS::WAFv2::WebACL",
];

/** Each alarm with what it watches, each metric filter with what it counts, and other resources, in a form whose diff is easy to review. */
export function summaryOf({ Resources }: Template): string {
  const described = {
    "AWS::CloudWatch::Alarm": watchedBy,
    "AWS::Logs::MetricFilter": countedBy,
    ...Object.fromEntries(wholeTypes.map((type) => [type, propertiesOf])),
  };
  return Object.entries(described)
    .flatMap(([type, describe]) =>
      Object.entries(Resources)
        .filter(([, { Type }]) => Type === type)
        .map(([id, { Properties }]) => [nameOf(id), ...describe(Properties)].join("\n  ")),
    )
    .sort()
    .join("\n");
}

/** A logical id without the hash at its end. */
export function nameOf(id: string): string {
  return id.replace(/[0-9A-F]{8}([0-9a-f]{32})?$/, "");
}

/** Names, lists, and CloudFormation's functions of them. */
function textOf(value: Json): string {
  if (typeof value !== "object") return String(value);
  if (Array.isArray(value)) return value.map(textOf).join(value.length > 4 ? ",\n    " : ", ");
  if ("Ref" in value) return nameOf(value.Ref);
  if ("Fn::GetAtt" in value) return value["Fn::GetAtt"].map(nameOf).join(".");
  if ("Fn::GetStackOutput" in value)
    return nameOf(value["Fn::GetStackOutput"].OutputName).replace(/^PublishOutput(Ref|FnGetAtt)/, "data.");
  if ("Fn::Join" in value) return value["Fn::Join"][1].map(textOf).join(value["Fn::Join"][0]);
  return Object.entries<Json>(value)
    .map(([name, part]) => `${name} ${textOf(part)}`)
    .join(", ");
}

function propertiesOf(properties: Json): string[] {
  return Object.entries<Json>(properties).map(([name, value]) => `${name}: ${textOf(value)}`);
}

function watchedBy(alarm: Json): string[] {
  const { Metrics = [{ Id: "value", ReturnData: false, MetricStat: statOf(alarm) }] } = alarm;
  const [{ Expression } = { Expression: "value" }] = Metrics.filter(({ ReturnData }: Json) => ReturnData !== false);
  const { ComparisonOperator, Threshold, DatapointsToAlarm, EvaluationPeriods, TreatMissingData } = alarm;
  const periods = `in ${DatapointsToAlarm} of ${EvaluationPeriods} periods, missing is ${TreatMissingData}`;
  const inputs = Metrics.flatMap(({ Id, MetricStat }: Json) => (MetricStat ? `${Id}: ${metricOf(MetricStat)}` : []));
  return [`${Expression} ${ComparisonOperator} ${Threshold} ${periods}`, ...inputs];
}

function statOf({ Namespace, MetricName, Dimensions, Period, Statistic: Stat }: Json): Json {
  return { Metric: { Namespace, MetricName, Dimensions }, Period, Stat };
}

function metricOf({ Metric: { Namespace, MetricName, Dimensions = [] }, Period, Stat }: Json): string {
  const of = Dimensions.map(({ Name, Value }: Json) => `${Name} ${textOf(Value)}`).join(", ");
  return `${Stat} of ${Period} s, ${Namespace} ${MetricName}${of && ` of ${of}`}`;
}

function countedBy({ LogGroupName, FilterPattern, MetricTransformations: [transformation] }: Json): string[] {
  const { MetricNamespace, MetricName, MetricValue, DefaultValue } = transformation;
  return [
    `${MetricNamespace} ${MetricName} = ${MetricValue} or ${DefaultValue} by ${FilterPattern} in ${textOf(LogGroupName)}`,
  ];
}
