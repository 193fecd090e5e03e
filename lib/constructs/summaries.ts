import { Duration } from "aws-cdk-lib";
import { EventSourceMapping, FilterCriteria, FilterRule, StartingPosition } from "aws-cdk-lib/aws-lambda";
import { SqsDlq } from "aws-cdk-lib/aws-lambda-event-sources";
import { Construct } from "constructs";
import { delivery } from "../../functions/consumers/summariesDelivery.ts";
import { type DataTable, reaches } from "./dataTable.ts";
import { deadLetterQueue } from "./deadLetterQueue.ts";
import { type Directories, serviceFunction } from "./serviceFunction.ts";

const alarm = { section: "summaries-failed-records", meaning: "Changes were not counted in summaries." };
/** Larger batches need fewer writes, and summaries may lag by this much. */
const batchingWindow = Duration.seconds(1);

/** Updates the summaries from the table's stream. Changes that cannot be counted go to a dead-letter queue with an alarm. */
export class Summaries extends Construct {
  constructor(scope: Construct, id: string, { data, directories }: { data: DataTable; directories: Directories }) {
    super(scope, id);
    const handler = serviceFunction(this, "summaries", {
      directories,
      description: "Updates the summaries from the table's stream",
    });
    const { counted, summaries } = reaches;
    const partitionKeys = [...counted.partitionKeys, ...summaries.partitionKeys];
    data.grant(handler, ["BatchGetItem"], { ...counted, partitionKeys });
    data.grant(handler, ["PutItem"], counted);
    data.grant(handler, ["UpdateItem"], summaries);
    new EventSourceMapping(this, "Stream", {
      target: handler.live,
      eventSourceArn: data.grantStream(handler),
      startingPosition: StartingPosition.TRIM_HORIZON,
      batchSize: delivery.batchSize,
      maxBatchingWindow: batchingWindow,
      filters: [FilterCriteria.filter({ dynamodb: { Keys: { SK: { S: FilterRule.or(...delivery.sortKeys) } } } })],
      reportBatchItemFailures: true,
      bisectBatchOnError: true,
      retryAttempts: delivery.maximumRetries,
      onFailure: new SqsDlq(deadLetterQueue(this, "FailedRecords", alarm)),
    });
  }
}
