import { CustomResource, Duration } from "aws-cdk-lib";
import { PolicyStatement } from "aws-cdk-lib/aws-iam";
import { Construct } from "constructs";
import { keys } from "../../functions/data/table/keys.ts";
import type { DataTable } from "./dataTable.ts";
import { type Directories, serviceFunction } from "./serviceFunction.ts";

/** Lambda's retries of the function end within this time. */
const serviceTimeout = Duration.minutes(5);

/**
 * Marks a new table as complete, so that a new stage needs no backfill. CloudFormation does not know whether a table is new, so a function checks
 * whether it has items. It may count items but not read them.
 */
export class NewTable extends Construct {
  constructor(scope: Construct, id: string, { data, directories }: { data: DataTable; directories: Directories }) {
    super(scope, id);
    const handler = serviceFunction(this, "newTable", {
      directories,
      description: "Marks a new table as complete",
    });
    handler.addToRolePolicy(
      new PolicyStatement({
        actions: ["dynamodb:Scan"],
        resources: [data.table.tableArn],
        conditions: { StringEquals: { "dynamodb:Select": "COUNT" } },
      }),
    );
    data.grant(handler, ["PutItem"], { partitionKeys: [keys.indexesComplete().PK], queries: "table" });
    new CustomResource(this, "Mark", {
      resourceType: "Custom::NewTable",
      serviceToken: handler.live.functionArn,
      serviceTimeout,
      // A change of table runs the function again.
      properties: { TableName: data.table.tableName },
    });
  }
}
