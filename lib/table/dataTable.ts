import { RemovalPolicy, Validations } from "aws-cdk-lib";
import {
  AttributeType,
  Billing,
  type GlobalSecondaryIndexPropsV2,
  type ITableV2,
  ProjectionType,
  StreamViewType,
  TableV2,
} from "aws-cdk-lib/aws-dynamodb";
import { PolicyStatement, Role } from "aws-cdk-lib/aws-iam";
import type { Function as LambdaFunction } from "aws-cdk-lib/aws-lambda";
import { Construct } from "constructs";
import { recordSortKeys } from "../../functions/records/recordItem.ts";
import { resources } from "../../functions/resources/index.ts";
import type { Resource } from "../../functions/resources/resource.ts";
import { countedSortKeys } from "../../functions/summaries/countedItem.ts";
import { tableDefinition } from "../../functions/table/definition.ts";
import { itemKeys, itemTypeOf } from "../../functions/table/itemKeys.ts";
import { changeKey, partitions } from "../../functions/table/lists.ts";
import type { TableAction } from "../../functions/table/table.ts";
import type { Settings } from "../settings.ts";
import { dataStackFinding } from "../shared/names.ts";

/** The access of a function: partition key patterns, and the indexes or the table itself for queries. */
export interface TableAccess {
  partitionKeys: readonly string[];
  /** Items with these keys are put, but neither updated nor deleted. */
  putOnly?: readonly string[];
  readOnly?: readonly string[];
  /** The only attributes that an update may name, also in its key and condition, because IAM does not distinguish these. By default all. */
  updated?: readonly string[];
  queries: "indexes" | "table";
  /** Partitions of the table itself that may be queried, too, if others may be only in indexes. */
  queriedInTable?: readonly string[];
}

type TableSettings = Pick<Settings, "stage" | "tableStreamArn">;

const activity = "ORG#*#ACTIVITY";
const access = "ORG#*#ACCESS";
const keyUsage = "ORG#*#KEYUSAGE#*";
const webhooks = "ORG#*#WEBHOOKS";
const webhookDeliveries = "ORG#*#WEBHOOKDELIVERIES#*";

/** The partitions of items of these types, and of the lists of items that belong to one of them. */
const partitionsOf = (types: readonly string[]) => types.map((type) => `ORG#*#${type}#*`);

const summaryPartitions = partitionsOf([itemKeys.eventSummary(1, 1), itemKeys.dateSummary(1, 1)].map(itemTypeOf));
const balancePaymentType = itemTypeOf(itemKeys.balance_payment(1, 1));
const balanceType = itemTypeOf(itemKeys.balance(1, 1));
const idempotencyType = itemTypeOf(itemKeys.idempotency(1, ""));

/** The attributes that an update of a change time names. */
const changeTimeAttributes = [
  tableDefinition.partitionKey,
  tableDefinition.sortKey,
  ...Object.keys(changeKey(itemKeys.order(1, 1), 0)),
];

/** The partitions of declared lists that do not belong to an item. */
const listPartitions = [
  ...new Set(
    Object.values<Resource>(resources).flatMap(({ lists }) =>
      Object.values(lists).flatMap((list) => {
        if ("under" in list) return [];
        return "all" in list ? [`ORG#*#${list.all}`] : partitionsOf([list.lookUp.toUpperCase()]);
      }),
    ),
  ),
];

/** To read. Lists the types, because `ORG#*` would include the organisation's API keys. */
const organisationData = [
  ...partitionsOf([...recordSortKeys, balancePaymentType]),
  ...partitionsOf(["CHANGES"]),
  ...listPartitions,
  itemKeys.clock().PK,
];

export const tableAccessOf = {
  organisationData: { partitionKeys: organisationData, queries: "indexes" },
  readSummaries: {
    partitionKeys: [...partitionsOf([itemKeys.event(1, 1).SK, itemKeys.event_date(1, 1).SK]), ...summaryPartitions],
    queries: "table",
  },
  /** Everything that an API key's holder may read. */
  assistants: {
    partitionKeys: [...organisationData, ...summaryPartitions],
    queries: "indexes",
    queriedInTable: summaryPartitions,
  },
  balanceRecording: {
    partitionKeys: partitionsOf([itemKeys.event(1, 1).SK, balancePaymentType, balanceType, idempotencyType]),
    putOnly: partitionsOf([balanceType, idempotencyType]),
    readOnly: partitionsOf([itemKeys.event(1, 1).SK]),
    updated: changeTimeAttributes,
    queries: "indexes",
  },
  orderNotes: {
    partitionKeys: partitionsOf([itemKeys.order(1, 1).SK]),
    updated: [...changeTimeAttributes, "api_note", "deleted", "revision"],
    queries: "indexes",
  },
  keyAdministration: {
    partitionKeys: ["ORG#*#APIKEYS", access, activity, "KEYHASH#*", keyUsage, ...partitionsOf([idempotencyType])],
    putOnly: [activity],
    readOnly: [keyUsage],
    queries: "table",
  },
  keyUsage: { partitionKeys: [keyUsage], queries: "table" },
  keyFailures: { partitionKeys: ["ORG#*#KEYFAILURES"], queries: "indexes" },
  webhookAdministration: {
    partitionKeys: [
      webhooks,
      "ORG#*#WEBHOOKCOUNT",
      activity,
      webhookDeliveries,
      ...partitionsOf([idempotencyType]),
      itemKeys.clock().PK,
    ],
    putOnly: [activity],
    readOnly: [webhookDeliveries, itemKeys.clock().PK],
    queries: "table",
  },
  webhookDelivery: {
    partitionKeys: [webhooks, webhookDeliveries, access, itemKeys.clock().PK],
    readOnly: [access, itemKeys.clock().PK],
    queries: "table",
  },
  webhookChanges: {
    partitionKeys: [...partitionsOf(["CHANGES"]), partitions.dueWebhooks("*").partition],
    queries: "indexes",
  },
  webhooks: { partitionKeys: [webhooks], queries: "table" },
  apiKeyHashes: { partitionKeys: ["KEYHASH#*"], queries: "indexes" },
  records: { partitionKeys: [...partitionsOf(recordSortKeys)], queries: "indexes" },
  counted: { partitionKeys: partitionsOf(countedSortKeys), queries: "indexes" },
  summaries: { partitionKeys: summaryPartitions, queries: "indexes" },
  events: { partitionKeys: partitionsOf([itemKeys.event(1, 1).SK]), queries: "indexes" },
  balancePayments: { partitionKeys: partitionsOf([balancePaymentType]), queries: "indexes" },
} satisfies Record<string, TableAccess>;

/** The table. Its construct ids must never change, since a new id makes a new, empty table. */
export class DataTable extends Construct {
  readonly table: TableV2;
  private readonly streamArn: string | undefined;

  constructor(scope: Construct, id: string, settings: TableSettings) {
    super(scope, id);
    this.table = this.makeTable(settings);
    this.streamArn = settings.tableStreamArn ?? this.table.tableStreamArn;
  }

  private makeTable({ stage }: TableSettings): TableV2 {
    const { partitionKey, sortKey, indexes, timeToLiveAttribute } = tableDefinition;
    const isDisposable = stage === "dev";
    return new TableV2(this, "Table", {
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
   * Grants a function only these actions, on items whose partition key matches a pattern, and sets its TABLE_NAME. A ForAllValues
   * condition is also true for a request without keys, so the Null condition requires a key. Every update has one, which names attributes.
   */
  grant(
    grantee: LambdaFunction,
    actions: readonly TableAction[],
    { partitionKeys, putOnly = [], readOnly = [], updated, queries, queriedInTable = [] }: TableAccess,
  ): void {
    grantee.addEnvironment("TABLE_NAME", this.table.tableName);
    const allow = (action: string, resources: string[], leadingKeys: readonly string[]) =>
      grantee.addToRolePolicy(
        new PolicyStatement({
          actions: [`dynamodb:${action}`],
          resources,
          conditions: {
            "ForAllValues:StringLike": {
              "dynamodb:LeadingKeys": leadingKeys,
              ...(action === "UpdateItem" && updated && { "dynamodb:Attributes": updated }),
            },
            Null: { "dynamodb:LeadingKeys": "false" },
          },
        }),
      );
    for (const action of actions.flatMap((name): readonly string[] => iamActions[name] ?? [name])) {
      const isChange = action === "UpdateItem" || action === "DeleteItem";
      const refused = isChange ? [...putOnly, ...readOnly] : action === "PutItem" ? readOnly : [];
      const leadingKeys = partitionKeys.filter((key) => !refused.includes(key));
      const isOfIndexes = lists.has(action) && queries === "indexes";
      allow(action, isOfIndexes ? this.indexArns() : [this.table.tableArn], leadingKeys);
    }
    if (actions.includes("Query") && queriedInTable.length > 0) allow("Query", [this.table.tableArn], queriedInTable);
  }

  /** Lets a function, or a pipe's role, read the table's stream. @returns the stream's ARN. */
  grantStream(grantee: LambdaFunction | Role): string {
    const { streamArn } = this;
    if (streamArn === undefined) throw new Error("The table has no stream.");
    const reads = ["dynamodb:DescribeStream", "dynamodb:GetRecords", "dynamodb:GetShardIterator"];
    grantee.grantPrincipal.addToPrincipalPolicy(new PolicyStatement({ actions: reads, resources: [streamArn] }));
    const streams = `${this.table.tableArn}/stream/*`;
    grantee.grantPrincipal.addToPrincipalPolicy(
      new PolicyStatement({ actions: ["dynamodb:ListStreams"], resources: [streams] }),
    );
    const role = grantee instanceof Role ? grantee : grantee.role;
    if (role) Validations.of(role).acknowledge(listingStreams(this.table));
    return streamArn;
  }

  private indexArns(): string[] {
    return tableDefinition.indexes.map(({ indexName }) => `${this.table.tableArn}/index/${indexName}`);
  }
}

/** IAM has no action for transactions, only for the writes in them, and one for each kind of statement. */
const iamActions: Partial<Record<TableAction, readonly string[]>> = {
  ExecuteStatement: ["PartiQLSelect"],
  TransactWriteItems: ["PutItem", "UpdateItem"],
};

const lists = new Set(["PartiQLSelect", "Query"]);

function listingStreams(table: ITableV2) {
  return {
    id: dataStackFinding(table, "table", "/stream/*"),
    reason: "ListStreams cannot name a single stream, and Lambda requires it.",
  };
}

function keySchema(key: { partitionKey: string; sortKey: string }) {
  return {
    partitionKey: { name: key.partitionKey, type: AttributeType.STRING },
    sortKey: { name: key.sortKey, type: AttributeType.STRING },
  };
}
