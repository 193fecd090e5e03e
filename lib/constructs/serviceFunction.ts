import { Duration, Validations } from "aws-cdk-lib";
import { PolicyStatement, type Role } from "aws-cdk-lib/aws-iam";
import {
  type Alias,
  Architecture,
  Code,
  Function as LambdaFunction,
  LoggingFormat,
  RecursiveLoop,
  Runtime,
  Tracing,
} from "aws-cdk-lib/aws-lambda";
import { Construct, type IConstruct } from "constructs";
import { functionTimeoutMs } from "../../functions/http/lambda.ts";
import { serviceLogGroup } from "./serviceLogGroup.ts";
import { metricsNamespace } from "./serviceMetrics.ts";
import { ServiceRole } from "./serviceRole.ts";

/**
 * Lambda gives processor time in proportion to memory, one whole processor at this size
 * (https://docs.aws.amazon.com/lambda/latest/dg/configuration-memory.html). A request is mostly processor time and JavaScript runs
 * on one processor, so less would make every request and cold start slower, and more would make none faster.
 */
const memoryMiB = 1769;

/** Of each function, below what has its name. */
const functionId = "Function";

/** By a function's name, a directory whose `index.mjs` exports its `handler`. */
export type Directories = Readonly<Record<string, string>>;

export interface ServiceFunctionProps {
  directories: Directories;
  description: string;
  /** That of a request where left out. */
  timeoutMs?: number;
  /** Whether it goes on by a message to its own queue, which Lambda would take for a loop without end. */
  sendsToItself?: boolean;
}

/** A function whose every deployment is a version of its own, so that two can run beside each other while one takes over. */
export class ServiceFunction extends LambdaFunction {
  /** What is called: the version that was released, or two while a release is on its way. */
  readonly live: Alias = this.addAlias("live");

  /**
   * Lets a role call it, and nothing of it but what is live.
   * @returns the ARN to call.
   */
  grantCall(role: Role): string {
    const { functionArn } = this.live;
    role.addToPolicy(new PolicyStatement({ actions: ["lambda:InvokeFunction"], resources: [functionArn] }));
    return functionArn;
  }
}

/** A function with a role and logs of its own, which may write its logs and its traces and nothing else. */
export function serviceFunction(
  scope: Construct,
  name: string,
  { directories, description, timeoutMs = functionTimeoutMs, sendsToItself = false }: ServiceFunctionProps,
): ServiceFunction {
  const directory = directories[name];
  if (directory === undefined) throw new Error(`The function ${name} was not bundled.`);
  const parts = new Construct(scope, name);
  const logGroup = serviceLogGroup(parts, "Logs");
  const role = new ServiceRole(parts, "Role", "lambda.amazonaws.com");
  logGroup.grantWrite(role);
  Validations.of(role).acknowledge({
    id: "AwsSolutions-IAM5[Resource::*]",
    reason: "X-Ray knows no resources to name: its two write actions can only be allowed for all.",
  });
  return new ServiceFunction(parts, functionId, {
    description,
    runtime: Runtime.NODEJS_24_X,
    architecture: Architecture.ARM_64,
    handler: "index.handler",
    code: Code.fromAsset(directory),
    memorySize: memoryMiB,
    timeout: Duration.millis(timeoutMs),
    role,
    logGroup,
    loggingFormat: LoggingFormat.JSON,
    environment: { POWERTOOLS_METRICS_NAMESPACE: metricsNamespace(scope) },
    tracing: Tracing.ACTIVE,
    ...(sendsToItself && { recursiveLoop: RecursiveLoop.ALLOW }),
  });
}

/** The service's functions below a scope, by their names. CDK's own are not among them. */
export function serviceFunctionsIn(scope: IConstruct): Map<string, ServiceFunction> {
  const found = scope.node.findAll().filter((part) => part instanceof ServiceFunction);
  return new Map(
    found.flatMap((part) => {
      const name = part.node.scope?.node.id;
      return name !== undefined && part.node.id === functionId ? [[name, part] as const] : [];
    }),
  );
}
