import { prices } from "./prices.ts";
import { feedRecord, mix, monthSeconds, request, stage, type Workload } from "./workload.ts";

/** A line of a bill, in US dollars. */
export interface Line {
  what: string;
  usd: number;
}

const bytesInGB = 1e9;
const tierRequests = 333_000_000;

/** What so many requests cost, whatever the month costs besides. @param seconds in which they come. */
export function requestLines(requests: number, seconds: number): Line[] {
  const operations = Object.values(mix);
  const perRequest = (units: "readUnits" | "writeUnits") =>
    operations.reduce((sum, operation) => sum + (operation.share / 100) * operation[units], 0);
  const writes = operations.reduce((sum, { share, writeUnits }) => sum + (writeUnits > 0 ? share / 100 : 0), 0);
  const first = Math.min(requests, tierRequests);
  const gatewayUsd = first * prices.apiGatewayRequest + (requests - first) * prices.apiGatewayRequestAbove333Million;
  const gbSeconds = (requests * (request.authorizerMs + request.endpointMs) * stage.memoryGB) / 1000;
  const traced = Math.min(requests, seconds) * (1 - stage.tracedShare) + requests * stage.tracedShare;
  return [
    { what: "API Gateway", usd: gatewayUsd },
    { what: "WAF, requests", usd: requests * prices.webAclRequest },
    { what: "Lambda, invocations (authorizer, endpoint)", usd: 2 * requests * prices.lambdaInvocation },
    { what: "Lambda, time (authorizer, endpoint)", usd: gbSeconds * prices.lambdaGBSecond },
    {
      what: "DynamoDB, reads",
      usd: requests * (request.authorizerReadUnits + perRequest("readUnits")) * prices.dynamoDbReadUnit,
    },
    { what: "DynamoDB, writes", usd: requests * perRequest("writeUnits") * prices.dynamoDbWriteUnit },
    { what: "Pipe and event bus", usd: requests * writes * (prices.pipeRequest + prices.customEvent) },
    { what: "CloudFront, requests", usd: requests * (prices.cloudFrontRequest + prices.cloudFrontFunction) },
    { what: "CloudFront, bytes", usd: ((requests * request.answerBytes) / bytesInGB) * prices.cloudFrontGB },
    { what: "Logs of requests", usd: logsUsd(requests * request.logBytes) },
    { what: "X-Ray", usd: traced * prices.traceRecorded },
  ];
}

/** What so many records of the feed cost. */
export function feedLines(records: number): Line[] {
  const messages = records / feedRecord.recordsPerMessage;
  const gbSeconds = (records * feedRecord.functionMs * stage.memoryGB) / 1000;
  return [
    { what: "Feed: SQS", usd: messages * feedRecord.queueRequestsPerMessage * prices.sqsRequest },
    { what: "Feed and summaries: Lambda, time", usd: gbSeconds * prices.lambdaGBSecond },
    { what: "Feed and summaries: DynamoDB, reads", usd: records * feedRecord.readUnits * prices.dynamoDbReadUnit },
    { what: "Feed and summaries: DynamoDB, writes", usd: records * feedRecord.writeUnits * prices.dynamoDbWriteUnit },
    { what: "Feed and summaries: logs", usd: logsUsd(records * feedRecord.logBytes) },
  ];
}

/** What a month of a stage costs, requests and feed included. */
export function monthLines(workload: Workload): Line[] {
  const requests = workload.requestsPerSecond * monthSeconds;
  const storageGB = (workload.items * stage.bytesPerItem) / bytesInGB;
  const keyWrites = (workload.activeKeys * monthSeconds) / 60;
  return [
    ...requestLines(requests, monthSeconds),
    ...feedLines(workload.feedRecordsPerSecond * monthSeconds),
    { what: "DynamoDB, last uses of keys", usd: keyWrites * prices.dynamoDbWriteUnit },
    { what: "DynamoDB, storage", usd: storageGB * prices.dynamoDbStorageGBMonth },
    { what: "DynamoDB, point-in-time recovery", usd: storageGB * prices.dynamoDbRecoveryGBMonth },
    { what: "DynamoDB, stream (the pipe)", usd: stage.streamReadsPerSecond * monthSeconds * prices.dynamoDbStreamRead },
    { what: "SQS, while nothing is sent", usd: stage.idleQueueReadsPerSecond * monthSeconds * prices.sqsRequest },
    { what: "S3", usd: stage.bucketGB * prices.s3StorageGBMonth },
    { what: "WAF, ACL and rules", usd: prices.webAclMonth + stage.webAclRules * prices.webAclRuleMonth },
    { what: "CloudWatch, own metrics", usd: workload.customMetrics * prices.customMetricMonth },
    {
      what: "CloudWatch, alarms and dashboard",
      usd: stage.alarmMetrics * prices.alarmMetricMonth + stage.dashboards * prices.dashboardMonth,
    },
    { what: "KMS", usd: prices.kmsKeyMonth },
    { what: "Cognito (the first 10,000 people of a month are free)", usd: 0 },
  ];
}

export function sum(lines: readonly Line[]): number {
  return lines.reduce((total, { usd }) => total + usd, 0);
}

function logsUsd(bytes: number): number {
  return (bytes / bytesInGB) * (prices.logGB + stage.packedLogs * prices.logStorageGBMonth);
}
