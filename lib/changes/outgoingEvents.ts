import type { IEventBus } from "aws-cdk-lib/aws-events";
import { CfnPipe } from "aws-cdk-lib/aws-pipes";
import type { Queue } from "aws-cdk-lib/aws-sqs";
import { Construct } from "constructs";
import { outgoingPatterns } from "../../functions/changes/outgoingEvents.ts";
import { deadLetterAlarm } from "../shared/deadLetterQueue.ts";
import { type Directories, ServiceRole, serviceFunction, serviceLogGroup } from "../shared/serviceFunction.ts";
import type { DataTable } from "../table/dataTable.ts";

/** The limit of one PutEvents call ("PutEvents" in the EventBridge API reference), so that a batch needs only one. */
const batchSize = 10;
/** Retries a failing bus for about as long as the consumer of the summaries retries its table. */
const maximumRetries = 10;

interface OutgoingEventsProps {
  data: DataTable;
  bus: IEventBus;
  /** Receives the changes that cannot be sent. */
  failedRecords: Queue;
  directories: Directories;
}

/** Publishes the changes made through the API: a pipe turns the table's stream into events on an event bus. */
export class OutgoingEvents extends Construct {
  readonly pipeName: string;

  constructor(scope: Construct, id: string, { data, bus, failedRecords, directories }: OutgoingEventsProps) {
    super(scope, id);
    const enrichment = serviceFunction(this, "outgoingEvents", {
      directories,
      description: "Turns changes made through the API into events",
    });
    deadLetterAlarm(this, failedRecords, {
      section: "outgoing-events-failed-records",
      meaning: "Changes made through the API did not reach the event bus.",
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
    this.pipeName = pipe.ref;
  }
}
