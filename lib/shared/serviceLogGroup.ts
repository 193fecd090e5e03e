import { RemovalPolicy } from "aws-cdk-lib";
import { LogGroup, RetentionDays } from "aws-cdk-lib/aws-logs";
import type { Construct } from "constructs";

/** A log group with a retention of one month, long enough to investigate reports. */
export function serviceLogGroup(scope: Construct, id: string, logGroupName?: string): LogGroup {
  return new LogGroup(scope, id, {
    retention: RetentionDays.ONE_MONTH,
    removalPolicy: RemovalPolicy.DESTROY,
    logGroupName,
  });
}
