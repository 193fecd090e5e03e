import { Metric } from "aws-cdk-lib/aws-cloudwatch";
import type { IEventBus } from "aws-cdk-lib/aws-events";
import { CfnPipe } from "aws-cdk-lib/aws-pipes";
import type { Queue } from "aws-cdk-lib/aws-sqs";
import { Construct } from "constructs";
import { outgoingPatterns } from "../../functions/stream/outgoingEvents.ts";
import { maximumRetries } from "../../functions/stream/streamLimits.ts";
import { deadLetterAlarm } from "../shared/deadLetterQueue.ts";
import { filledSum, ownMetric, sum, total } from "../shared/metrics.ts";
import { comparedSum, observability, serviceAlarm, stoppedAlarm } from "../shared/serviceAlarm.ts";
import {
  type Directories,
  type ServiceFunction,
  ServiceRole,
  serviceFunction,
  serviceLogGroup,
} from "../shared/serviceFunction.ts";
import type { DataTable } from "../table/dataTable.ts";

/** The limit of one PutEvents call ("PutEvents" in the EventBridge API reference), so that a batch needs only one. */
const batchSize = 10;

interface OutgoingEventsProps {
  data: DataTable;
  bus: IEventBus;
  failedRecords: Queue;
  directories: Directories;
}

/** Publishes the changes made through the API: a pipe turns the table's stream into events on an event bus. */
export class OutgoingEvents extends Construct {
  constructor(scope: Construct, id: string, { data, bus, failedRecords, directories }: OutgoingEventsProps) {
    super(scope, id);
    const enrichment = serviceFunction(this, "outgoingEvents", {
      directories,
      description: "Turns changes made through the API into events",
    });
    const log = serviceLogGroup(this, "Log");
    const role = new ServiceRole(this, "Role", "pipes.amazonaws.com");
    const source = data.grantStream(role);
    bus.grantPutEventsTo(role);
    failedRecords.grantSendMessages(role);
    log.grantWrite(role);
    const pipe = new CfnPipe(this, "Pipe", {
      description: "Sends changes made through the API to the event bus",
      roleArn: role.roleArn,
      source,
      sourceParameters: {
        filterCriteria: { filters: outgoingPatterns.map((pattern) => ({ pattern: JSON.stringify(pattern) })) },
        dynamoDbStreamParameters: {
          startingPosition: "TRIM_HORIZON",
          batchSize,
          maximumRetryAttempts: maximumRetries,
          onPartialBatchItemFailure: "AUTOMATIC_BISECT",
          deadLetterConfig: { arn: failedRecords.queueArn },
        },
      },
      enrichment: enrichment.grantCall(role),
      target: bus.eventBusArn,
      targetParameters: {
        eventBridgeEventBusParameters: { source: "ticketing", detailType: "$.detail_type" },
        inputTemplate: "<$.detail>",
      },
      logConfiguration: { level: "ERROR", cloudwatchLogsLogDestination: { logGroupArn: log.logGroupArn } },
    });
    // The pipe's creation fails if its role lacks permissions.
    pipe.node.addDependency(role);
    const meaning = "Changes made through the API did not reach the event bus.";
    deadLetterAlarm(this, "outgoing-events-failed-records", failedRecords, meaning);
    addAlarms(observability(this), pipe.ref, enrichment);
  }
}

/** The operations whose successful requests become outgoing events. */
export const operationsWithEvents = ["recordBalancePayment", "updateOrder"] as const;

function addAlarms(scope: Construct, PipeName: string, enrichment: ServiceFunction): void {
  const failures = ["ExecutionFailed", "ExecutionPartiallyFailed", "ExecutionThrottled", "ExecutionTimeout"].map(
    (metricName) => new Metric({ namespace: "AWS/EventBridge/Pipes", metricName, dimensionsMap: { PipeName }, ...sum }),
  );
  serviceAlarm(scope, "outgoing-events-failures", {
    meaning: "The pipe from the table to the event bus fails or is throttled, so events are late.",
    // A pipe does not report its lag. It falls behind only if it fails or is throttled.
    metric: total("pipe", "Failures of the pipe", failures),
    // The pipe retries by itself. Failures in three of five minutes need attention.
    above: 0,
  });
  const changes = Object.fromEntries(
    operationsWithEvents.map((operation, index) => [
      `changes${index}`,
      ownMetric(scope, operation, "changes", comparedSum),
    ]),
  );
  stoppedAlarm(scope, "outgoing-events-stopped", {
    meaning: "Clients make changes, but the pipe to the event bus does not run.",
    label: "Outgoing events stopped",
    // Pipes report nothing while they are stopped.
    condition: `${filledSum(changes)} > 0 && FILL(calls, 0) == 0`,
    usingMetrics: { ...changes, calls: enrichment.metricInvocations(comparedSum) },
  });
}
