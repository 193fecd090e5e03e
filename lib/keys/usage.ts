import { SqsDestination } from "aws-cdk-lib/aws-lambda-destinations";
import { FilterPattern, type LogGroup, SubscriptionFilter } from "aws-cdk-lib/aws-logs";
import { LambdaDestination } from "aws-cdk-lib/aws-logs-destinations";
import type { Queue } from "aws-cdk-lib/aws-sqs";
import { Construct } from "constructs";
import { consumerTimeoutMs, type KeyLine } from "../../functions/keys/countUsage.ts";
import { jobCallTimeoutMs } from "../../functions/table/callLimit.ts";
import { deadLetterAlarm } from "../shared/deadLetterQueue.ts";
import { type Directories, serviceFunction } from "../shared/serviceFunction.ts";
import { type DataTable, tableAccessOf } from "../table/dataTable.ts";

interface UsageProps {
  requestLog: LogGroup;
  data: DataTable;
  failedBatches: Queue;
  directories: Directories;
}

/** Counts the requests of each API key from the log, so that requests take no longer. */
export class Usage extends Construct {
  constructor(scope: Construct, id: string, { requestLog, data, failedBatches, directories }: UsageProps) {
    super(scope, id);
    deadLetterAlarm(this, "usage-failed-batches", failedBatches, "Requests were not counted in the usage of keys.");
    const handler = serviceFunction(this, "usage", {
      directories,
      description: "Counts the requests of each API key from the log",
      timeoutMs: consumerTimeoutMs,
    });
    handler.addEnvironment("DYNAMODB_TIMEOUT_MS", String(jobCallTimeoutMs));
    data.grant(handler, ["BatchGetItem", "DeleteItem", "TransactWriteItems"], tableAccessOf.keyUsage);
    handler.live.configureAsyncInvoke({ onFailure: new SqsDestination(failedBatches) });
    new SubscriptionFilter(this, "Requests", {
      logGroup: requestLog,
      destination: new LambdaDestination(handler.live),
      filterPattern: FilterPattern.exists(`$.${"key_id" satisfies keyof KeyLine}`),
    });
  }
}
