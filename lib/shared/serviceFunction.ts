import { Duration, RemovalPolicy, Stack, Validations } from "aws-cdk-lib";
import {
  type AddToPrincipalPolicyResult,
  PolicyDocument,
  PolicyStatement,
  Role,
  ServicePrincipal,
} from "aws-cdk-lib/aws-iam";
import {
  type Alias,
  Architecture,
  Code,
  type FunctionOptions,
  Function as LambdaFunction,
  LoggingFormat,
  Runtime,
  SystemLogLevel,
} from "aws-cdk-lib/aws-lambda";
import { LogGroup, RetentionDays } from "aws-cdk-lib/aws-logs";
import { Construct, type IConstruct } from "constructs";
import { functionTimeoutMs } from "../../functions/api/lambda.ts";
import { metricsNamespace } from "./metrics.ts";

/**
 * Lambda allocates CPU in proportion to memory, one full vCPU at this size
 * (https://docs.aws.amazon.com/lambda/latest/dg/configuration-memory.html). Requests mostly take CPU time, and JavaScript uses one CPU:
 * less memory would slow down requests and cold starts, and more would not speed them up.
 */
export const memoryMiB = 1769;

/** Costs a fifth less than x86-64. */
const functionArchitecture = Architecture.ARM_64;

/** The directory with the `index.js` that exports a function's `handler`, by function name. */
export type Directories = Readonly<Record<string, string>>;

export interface ServiceFunctionProps
  extends Pick<
    FunctionOptions,
    "environment" | "functionName" | "recursiveLoop" | "reservedConcurrentExecutions" | "tracing"
  > {
  directories: Directories;
  description: string;
  /** Defaults to a request's timeout. */
  timeoutMs?: number;
  /** Defaults to the log of all functions that serve no requests. */
  logGroup?: LogGroup;
}

/** A function with a version per deployment, so that two versions can run side by side during a release. */
export class ServiceFunction extends LambdaFunction {
  /** The alias that callers use: the released version, or two versions during a release. */
  readonly live: Alias = this.addAlias("live");

  /** Lets a role call the live alias only. @returns the ARN to call. */
  grantCall(role: Role): string {
    allowCall(role, this.live.functionArn);
    return this.live.functionArn;
  }
}

export function allowCall(role: Role, functionArn: string): void {
  role.addToPolicy(new PolicyStatement({ actions: ["lambda:InvokeFunction"], resources: [functionArn] }));
}

/** A function with its own role. By default it may only write its logs. */
export function serviceFunction(
  scope: Construct,
  name: string,
  { directories, timeoutMs = functionTimeoutMs, ...own }: ServiceFunctionProps,
): ServiceFunction {
  const directory = directories[name];
  if (directory === undefined) throw new Error(`The function ${name} was not bundled.`);
  const parts = new Construct(scope, name);
  const logGroup = own.logGroup ?? jobLog(Stack.of(scope));
  const role = new ServiceRole(parts, "Role", "lambda.amazonaws.com");
  logGroup.grantWrite(role);
  if (own.tracing)
    Validations.of(role).acknowledge({
      id: "AwsSolutions-IAM5[Resource::*]",
      reason: "X-Ray's two write actions do not support resource-level permissions.",
    });
  return new ServiceFunction(parts, "Function", {
    ...own,
    runtime: Runtime.NODEJS_24_X,
    architecture: functionArchitecture,
    handler: "index.handler",
    code: Code.fromAsset(directory),
    memorySize: memoryMiB,
    timeout: Duration.millis(timeoutMs),
    role,
    logGroup,
    loggingFormat: LoggingFormat.JSON,
    // Omits Lambda's lines of successful calls, a third of all logs: the service's own lines have the duration. Failures, time-outs and crashes
    // stay (https://docs.aws.amazon.com/lambda/latest/dg/monitoring-cloudwatchlogs-log-level.html).
    systemLogLevelV2: SystemLogLevel.WARN,
    environment: { ...own.environment, POWERTOOLS_METRICS_NAMESPACE: metricsNamespace(scope) },
  });
}

function jobLog(stack: Stack): LogGroup {
  const existing = stack.node.tryFindChild("JobLog");
  return existing instanceof LogGroup ? existing : serviceLogGroup(stack, "JobLog");
}

/** The service's functions within a scope, by name, without CDK's own. */
export function serviceFunctionsIn(scope: IConstruct): Map<string, ServiceFunction> {
  const functions = scope.node.findAll().filter((part) => part instanceof ServiceFunction);
  return new Map(functions.map((part) => [part.node.scope?.node.id ?? "", part]));
}

/** A role with inline permissions. CDK's Role has a separate policy, which counts as a resource, and exists for a moment without it. */
export class ServiceRole extends Role {
  private readonly rights: PolicyDocument;

  /** @param service such as `lambda.amazonaws.com`. */
  constructor(scope: Construct, id: string, service: string) {
    const rights = new PolicyDocument();
    super(scope, id, { assumedBy: new ServicePrincipal(service), inlinePolicies: { Rights: rights } });
    this.rights = rights;
  }

  override addToPrincipalPolicy(statement: PolicyStatement): AddToPrincipalPolicyResult {
    this.rights.addStatements(statement);
    return { statementAdded: true, policyDependable: this };
  }
}

/** A log group with a retention of one month, long enough to investigate reports. */
export function serviceLogGroup(scope: Construct, id: string, logGroupName?: string): LogGroup {
  return new LogGroup(scope, id, {
    retention: RetentionDays.ONE_MONTH,
    removalPolicy: RemovalPolicy.DESTROY,
    logGroupName,
  });
}
