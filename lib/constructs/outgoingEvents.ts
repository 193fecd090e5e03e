import { EventBus, type IEventBus } from "aws-cdk-lib/aws-events";
import { CfnPipe } from "aws-cdk-lib/aws-pipes";
import { Construct } from "constructs";
import { outgoingPatterns } from "../../functions/data/records/outgoingChange.ts";
import type { Stage } from "../settings.ts";
import type { DataTable } from "./dataTable.ts";
import { deadLetterQueue } from "./deadLetterQueue.ts";
import { type Directories, serviceFunction } from "./serviceFunction.ts";
import { serviceLogGroup } from "./serviceLogGroup.ts";
import { ServiceRole } from "./serviceRole.ts";

/** The most events of one call to an event bus, from "PutEvents" in the EventBridge API reference: no batch is cut in two. */
const batchSize = 10;
/** A bus that is out of order is tried again for about as long as the consumer of the summaries tries its table. */
const maximumRetries = 10;

export interface OutgoingEventsProps {
  stage: Stage;
  data: DataTable;
  directories: Directories;
}

/** The way out for what the API records: from the table's stream through a pipe, which turns it into events, to an event bus. */
export class OutgoingEvents extends Construct {
  readonly bus: IEventBus;
  readonly pipeName: string;

  constructor(scope: Construct, id: string, { stage, data, directories }: OutgoingEventsProps) {
    super(scope, id);
    this.bus = new EventBus(this, "Bus", { eventBusName: `ticketing-${stage}` });
    const enrichment = serviceFunction(this, "outgoingEvents", {
      directories,
      description: "Turns what the API records into events",
    });
    const failed = deadLetterQueue(this, "FailedRecords", {
      section: "outgoing-events-failed-records",
      meaning: "What the API recorded did not reach the event bus.",
    });
    const log = serviceLogGroup(this, "Log");
    const role = new ServiceRole(this, "Role", "pipes.amazonaws.com");
    const source = data.grantStream(role);
    this.bus.grantPutEventsTo(role);
    failed.grantSendMessages(role);
    log.grantWrite(role);
    const pipe = new CfnPipe(this, "Pipe", {
      description: "Takes what the API records to the event bus",
      roleArn: role.roleArn,
      source,
      sourceParameters: {
        filterCriteria: { filters: outgoingPatterns.map((pattern) => ({ pattern: JSON.stringify(pattern) })) },
        dynamoDbStreamParameters: {
          startingPosition: "TRIM_HORIZON",
          batchSize,
          maximumRetryAttempts: maximumRetries,
          onPartialBatchItemFailure: "AUTOMATIC_BISECT",
          deadLetterConfig: { arn: failed.queueArn },
        },
      },
      enrichment: enrichment.grantCall(role),
      target: this.bus.eventBusArn,
      targetParameters: {
        eventBridgeEventBusParameters: { source: "ticketing", detailType: "$.detail_type" },
        inputTemplate: "<$.detail>",
      },
      logConfiguration: { level: "ERROR", cloudwatchLogsLogDestination: { logGroupArn: log.logGroupArn } },
    });
    // A pipe is refused whose role may not yet do what it is for.
    pipe.node.addDependency(role);
    this.pipeName = pipe.ref;
  }
}
