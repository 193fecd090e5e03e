import { RemovalPolicy } from "aws-cdk-lib";
import {
  AttributeType,
  Billing,
  type GlobalSecondaryIndexPropsV2,
  ProjectionType,
  StreamViewType,
  TableV2,
} from "aws-cdk-lib/aws-dynamodb";
import { PolicyStatement } from "aws-cdk-lib/aws-iam";
import type { Function as LambdaFunction } from "aws-cdk-lib/aws-lambda";
import { Construct } from "constructs";
import type { TableAction } from "../../functions/data/table.ts";
import { tableDefinition } from "../../functions/data/tableDefinition.ts";
import type { Stage } from "../stage.ts";

/** The partition keys, of the table and of its indexes, that a function may name. */
export const leadingKeys = { organisation: "ORG#*", apiKeyHash: "KEYHASH#*" };

/** The one table. Its ids never change, since a new id is a new, empty table. */
export class DataTable extends Construct {
  readonly table: TableV2;

  constructor(scope: Construct, id: string, { stage }: { stage: Stage }) {
    super(scope, id);
    const { partitionKey, sortKey, indexes, timeToLiveAttribute } = tableDefinition;
    const isDisposable = stage === "dev";
    this.table = new TableV2(this, "Table", {
      ...keySchema({ partitionKey, sortKey }),
      globalSecondaryIndexes: indexes.map(
        (index): GlobalSecondaryIndexPropsV2 => ({
          indexName: index.indexName,
          ...keySchema(index),
          projectionType: ProjectionType.ALL,
        }),
      ),
      timeToLiveAttribute,
      billing: Billing.onDemand(),
      dynamoStream: StreamViewType.NEW_AND_OLD_IMAGES,
      pointInTimeRecoverySpecification: { pointInTimeRecoveryEnabled: true },
      deletionProtection: !isDisposable,
      removalPolicy: isDisposable ? RemovalPolicy.DESTROY : RemovalPolicy.RETAIN,
    });
  }

  /**
   * Lets a function do these things, and nothing else, to the items whose partition key is like the pattern, and tells it which
   * table it is. A condition that begins with ForAllValues holds too where the request names no key, so the grant asks for one.
   */
  grant(grantee: LambdaFunction, actions: readonly TableAction[], partitionKeys: string): void {
    grantee.addEnvironment("TABLE_NAME", this.table.tableName);
    for (const action of actions) {
      grantee.addToRolePolicy(
        new PolicyStatement({
          actions: iamActions[action] ?? [`dynamodb:${action}`],
          resources: action === "Query" ? this.indexArns() : [this.table.tableArn],
          conditions: {
            "ForAllValues:StringLike": { "dynamodb:LeadingKeys": [partitionKeys] },
            Null: { "dynamodb:LeadingKeys": "false" },
          },
        }),
      );
    }
  }

  private indexArns(): string[] {
    return tableDefinition.indexes.map(({ indexName }) => `${this.table.tableArn}/index/${indexName}`);
  }
}

/** A transaction is no action of its own to IAM: it needs the actions that it is made of. */
const iamActions: Partial<Record<TableAction, string[]>> = {
  TransactWriteItems: ["dynamodb:PutItem", "dynamodb:UpdateItem"],
};

function keySchema(key: { partitionKey: string; sortKey: string }) {
  return {
    partitionKey: { name: key.partitionKey, type: AttributeType.STRING },
    sortKey: { name: key.sortKey, type: AttributeType.STRING },
  };
}
