import { Refusal, startFakeAws } from "../../support/aws/fakeAws.ts";

/** A table as DynamoDB describes it, and its other settings. */
interface FakeTable {
  description: Record<string, unknown>;
  timeToLive: string;
  recovery: string;
  /** The number of further polls for which the table is being created or changed. */
  busyLooks: number;
}

export interface FakeRestores {
  url: string;
  tables: Map<string, FakeTable>;
  /** The changing calls, in order. */
  changes: string[];
  /** Adds a table that was restored from a backup. */
  addTable: (name: string) => void;
}

const arnOf = (name: string) => `arn:aws:dynamodb:local:000000000000:table/${name}`;
export const streamOf = (name: string) => `${arnOf(name)}/stream/2026-03-01T02:41:07.120`;
const seconds = (time: string) => Date.parse(time) / 1000;

/** A table as the stack creates it. */
function sourceTable(name: string): FakeTable {
  const description = { TableName: name, TableArn: arnOf(name), DeletionProtectionEnabled: true };
  return { description, timeToLive: "ENABLED", recovery: "ENABLED", busyLooks: 0 };
}

/** A table without the settings that a restore leaves out. */
function restoredTable(description: Record<string, unknown>): FakeTable {
  return { description, timeToLive: "DISABLED", recovery: "DISABLED", busyLooks: 0 };
}

/**
 * Replaces DynamoDB's restores, which DynamoDB Local does not support. As strict as DynamoDB's reference: a table that is being created or
 * changed rejects changes, and its backups cannot be configured at first. A restored table lacks the settings
 * that a restore leaves out.
 *
 * @param busyLooks the number of polls that show a table as busy after each change.
 */
export async function startFakeRestores(source: string, busyLooks: number): Promise<FakeRestores> {
  const tables = new Map([[source, sourceTable(source)]]);
  const changes: string[] = [];
  const aws = await startFakeAws();
  aws.answers = {
    ...answersAboutTables(tables, changes, busyLooks),
    ...answersAboutSettings(tables, changes, busyLooks),
  };
  const addTable = (name: string) => void tables.set(name, restoredTable({ TableName: name, TableArn: arnOf(name) }));
  return { url: String(aws.environment.AWS_ENDPOINT_URL), tables, changes, addTable };
}

type Answers = Record<string, (input: ReturnType<typeof JSON.parse>) => object>;

function answersAboutTables(tables: Map<string, FakeTable>, changes: string[], busyLooks: number): Answers {
  return {
    DescribeTable({ TableName }) {
      const table = find(tables, TableName);
      const TableStatus = table.busyLooks > 0 ? "UPDATING" : "ACTIVE";
      table.busyLooks = Math.max(0, table.busyLooks - 1);
      return { Table: { ...table.description, TableStatus } };
    },
    DescribeContinuousBackups({ TableName }) {
      const PointInTimeRecoveryDescription = {
        PointInTimeRecoveryStatus: find(tables, TableName).recovery,
        EarliestRestorableDateTime: seconds("2026-02-01T00:00:00Z"),
        LatestRestorableDateTime: seconds("2026-03-02T00:00:00Z"),
      };
      return { ContinuousBackupsDescription: { ContinuousBackupsStatus: "ENABLED", PointInTimeRecoveryDescription } };
    },
    RestoreTableToPointInTime({ SourceTableName, TargetTableName, RestoreDateTime }) {
      if (tables.has(TargetTableName)) fail("TableAlreadyExistsException");
      changes.push(`RestoreTableToPointInTime ${TargetTableName}`);
      const RestoreSummary = { SourceTableArn: arnOf(SourceTableName), RestoreDateTime, RestoreInProgress: true };
      const description = { TableName: TargetTableName, TableArn: arnOf(TargetTableName), RestoreSummary };
      tables.set(TargetTableName, { ...restoredTable(description), busyLooks });
      return {};
    },
    UpdateTable({ TableName, ...settings }) {
      const table = change(tables, changes, ["UpdateTable", TableName]);
      const LatestStreamArn =
        "StreamSpecification" in settings ? streamOf(TableName) : table.description.LatestStreamArn;
      Object.assign(table.description, settings, { LatestStreamArn });
      table.busyLooks = busyLooks;
      return {};
    },
    GetItem: () => ({}),
    Scan: () => ({ Items: [] }),
    Query: () => ({ Items: [] }),
  };
}

function answersAboutSettings(tables: Map<string, FakeTable>, changes: string[], busyLooks: number): Answers {
  let backupsAreNew = true;
  return {
    DescribeTimeToLive: ({ TableName }) => ({
      TimeToLiveDescription: { TimeToLiveStatus: find(tables, TableName).timeToLive },
    }),
    UpdateTimeToLive({ TableName, TimeToLiveSpecification }) {
      change(tables, changes, [
        "UpdateTimeToLive",
        TableName,
      ]).timeToLive = `ENABLED ${TimeToLiveSpecification.AttributeName}`;
      return {};
    },
    UpdateContinuousBackups({ TableName }) {
      const isNew = backupsAreNew && busyLooks > 0;
      backupsAreNew = false;
      if (isNew) fail("ContinuousBackupsUnavailableException");
      change(tables, changes, ["UpdateContinuousBackups", TableName]).recovery = "ENABLED";
      return {};
    },
  };
}

function find(tables: Map<string, FakeTable>, name: string): FakeTable {
  return tables.get(name) ?? fail("ResourceNotFoundException");
}

/** Finds the table to change, which must not be busy. */
function change(tables: Map<string, FakeTable>, changes: string[], [action, name]: [string, string]): FakeTable {
  const table = find(tables, name);
  if (table.busyLooks > 0) fail("ResourceInUseException");
  changes.push(`${action} ${name}`);
  return table;
}

function fail(code: string): never {
  throw new Refusal(code, "No.");
}
