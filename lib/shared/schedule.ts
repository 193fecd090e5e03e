import type { Duration } from "aws-cdk-lib";
import { Rule, Schedule } from "aws-cdk-lib/aws-events";
import { LambdaFunction } from "aws-cdk-lib/aws-events-targets";
import type { Construct } from "constructs";
import type { ServiceFunction } from "./serviceFunction.ts";

interface ScheduleProps {
  description: string;
  period: Duration;
  handler: ServiceFunction;
}

/**
 * Runs a function once in each period, of at least a minute. A run that fails or cannot start within its period is dropped, because the next one
 * does its work. By default, EventBridge would retry for a day and Lambda for six hours, and the runs of a busy time would all follow it
 * (https://docs.aws.amazon.com/eventbridge/latest/userguide/eb-rule-retry-policy.html,
 * https://docs.aws.amazon.com/lambda/latest/dg/invocation-async-error-handling.html).
 */
export function schedule(scope: Construct, id: string, { description, period, handler }: ScheduleProps): void {
  const limits = { retryAttempts: 0, maxEventAge: period };
  handler.live.configureAsyncInvoke(limits);
  new Rule(scope, id, {
    description,
    schedule: Schedule.rate(period),
    targets: [new LambdaFunction(handler.live, limits)],
  });
}
