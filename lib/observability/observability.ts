import { Aspects, RemovalPolicy, Stack } from "aws-cdk-lib";
import { Alarm } from "aws-cdk-lib/aws-cloudwatch";
import { SnsAction } from "aws-cdk-lib/aws-cloudwatch-actions";
import { PolicyStatement, ServicePrincipal } from "aws-cdk-lib/aws-iam";
import { Key } from "aws-cdk-lib/aws-kms";
import { CfnQueryDefinition } from "aws-cdk-lib/aws-logs";
import { Topic } from "aws-cdk-lib/aws-sns";
import { EmailSubscription } from "aws-cdk-lib/aws-sns-subscriptions";
import type { Queue } from "aws-cdk-lib/aws-sqs";
import { Construct } from "constructs";
import type { RestApi } from "../api/restApi.ts";
import { deadLetterAlarm } from "../shared/deadLetterQueue.ts";
import { addAlarms } from "./alarms.ts";
import { addDashboard } from "./dashboard.ts";
import { type Observed, observedMetrics } from "./observedMetrics.ts";

interface ObservabilityProps extends Observed {
  /** Undefined without backups in another vault. */
  failedBackups: Queue | undefined;
  /** The recipients of alarms. */
  alarmEmails: readonly string[];
}

/** The dashboard, the alarms, and the topic that all alarms of the stack notify. */
export class Observability extends Construct {
  readonly topic: Topic;
  /** The names of the alarms that roll back a release. */
  readonly releaseAlarms: readonly string[];

  constructor(scope: Construct, id: string, { alarmEmails, failedBackups, ...observed }: ObservabilityProps) {
    super(scope, id);
    const metrics = observedMetrics(this, observed);
    this.releaseAlarms = addAlarms(this, metrics);
    if (failedBackups) {
      const meaning = "A backup of the table, or its copy in the other vault, failed.";
      deadLetterAlarm(this, failedBackups, { section: "failed-backups", meaning });
    }
    addDashboard(this, metrics, observed);
    addSavedQueries(this, observed.api);
    this.topic = alarmTopic(this, "Alarms", alarmEmails);
  }
}

const cloudWatch = new ServicePrincipal("cloudwatch.amazonaws.com");

/** The topic that every alarm of the stack notifies, when it is raised and when it clears. */
function alarmTopic(scope: Construct, id: string, emails: readonly string[]): Topic {
  const topic = new Topic(scope, id, { masterKey: topicKey(scope, `${id}Key`), enforceSSL: true });
  // A topic policy replaces SNS's default permissions, and CloudWatch needs this one.
  topic.addToResourcePolicy(
    new PolicyStatement({
      principals: [cloudWatch],
      actions: ["sns:Publish"],
      resources: [topic.topicArn],
      conditions: { StringEquals: { "aws:SourceAccount": Stack.of(scope).account } },
    }),
  );
  for (const email of emails) topic.addSubscription(new EmailSubscription(email));
  const action = new SnsAction(topic);
  // An aspect also reaches alarms that are added later, anywhere in the stack.
  Aspects.of(Stack.of(scope)).add({
    visit(part) {
      if (!(part instanceof Alarm)) return;
      part.addAlarmAction(action);
      part.addOkAction(action);
    },
  });
  return topic;
}

/** CloudWatch cannot use SNS's own key: its alarms would be lost without an error. */
function topicKey(scope: Construct, id: string): Key {
  const key = new Key(scope, id, {
    description: "Encrypts alarm notifications",
    enableKeyRotation: true,
    // It encrypts nothing that is stored.
    removalPolicy: RemovalPolicy.DESTROY,
  });
  key.addToResourcePolicy(
    new PolicyStatement({
      principals: [cloudWatch],
      actions: ["kms:Decrypt", "kms:GenerateDataKey*"],
      resources: ["*"],
    }),
  );
  return key;
}

/** The form of an X-Ray trace id, which the gateway's, the functions' and Lambda's own lines have in different fields. */
const trace = "parse @message /(?<trace>1-[0-9a-f]{8}-[0-9a-f]{24})/";

/**
 * Saves the query for all lines of a request. Lambda's lines of a crash or a timeout, and the authorizers' lines, do not have the gateway's
 * request id. All lines have the trace's, so the query looks it up in the access log.
 */
function addSavedQueries(scope: Construct, { accessLog, requestLog }: RestApi): void {
  const fields = [
    "@timestamp",
    ...["type", "message", "operation_id", "route", "status", "outcome", "error_type", "record.status"],
    ...["duration_ms", "error.name", "error.message", "record.metrics.durationMs"],
  ];
  const groups = [accessLog.logGroupName, requestLog.logGroupName];
  new CfnQueryDefinition(scope, "RequestQuery", {
    name: `${Stack.of(scope).stackName}/request`,
    logGroupNames: groups,
    queryString: [
      trace,
      `| filter trace in (SOURCE '${accessLog.logGroupName}' | ${trace} | filter request_id = "REQUEST_ID" | fields trace)`,
      "| sort @timestamp",
      `| display ${fields.join(", ")}`,
    ].join("\n"),
  });
}
