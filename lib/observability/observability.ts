import { Aspects, Stack } from "aws-cdk-lib";
import { Alarm } from "aws-cdk-lib/aws-cloudwatch";
import { SnsAction } from "aws-cdk-lib/aws-cloudwatch-actions";
import { CfnQueryDefinition } from "aws-cdk-lib/aws-logs";
import type { Topic } from "aws-cdk-lib/aws-sns";
import type { Queue } from "aws-cdk-lib/aws-sqs";
import { Construct } from "constructs";
import type { RestApi } from "../api/restApi.ts";
import { deadLetterAlarm } from "../shared/deadLetterQueue.ts";
import { addAlarms } from "./alarms.ts";
import { addDashboard } from "./dashboard.ts";
import { type Observed, observedMetrics } from "./observedMetrics.ts";

interface ObservabilityProps extends Observed {
  /** What all alarms notify. */
  topic: Topic;
  /** Undefined without backups in another vault. */
  failedBackups: Queue | undefined;
  /** Without a record for this time, an alarm is raised; 0 for none. */
  feedSilenceHours: number;
}

/** The dashboard and the alarms. */
export class Observability extends Construct {
  /** The names of the alarms that roll back a release. */
  readonly releaseAlarms: readonly string[];

  constructor(
    scope: Construct,
    id: string,
    { topic, feedSilenceHours, failedBackups, ...observed }: ObservabilityProps,
  ) {
    super(scope, id);
    const metrics = observedMetrics(this, observed);
    this.releaseAlarms = addAlarms(this, metrics, feedSilenceHours);
    if (failedBackups) {
      const meaning = "A backup of the table, or its copy in the other vault, failed.";
      deadLetterAlarm(this, failedBackups, { section: "failed-backups", meaning });
    }
    addDashboard(this, metrics, observed);
    addSavedQueries(this, observed.api);
    notify(Stack.of(this), topic);
  }
}

/** Makes every alarm of the stack notify the topic, when it is raised and when it clears. */
function notify(stack: Stack, topic: Topic): void {
  const action = new SnsAction(topic);
  // An aspect also reaches alarms that are added later, anywhere in the stack.
  Aspects.of(stack).add({
    visit(part) {
      if (!(part instanceof Alarm)) return;
      part.addAlarmAction(action);
      part.addOkAction(action);
    },
  });
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
