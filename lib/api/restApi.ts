import { ArnFormat, Size, Stack, Validations } from "aws-cdk-lib";
import {
  AccessLogFormat,
  ApiDefinition,
  CfnRestApi,
  EndpointType,
  LogGroupLogDestination,
  MethodLoggingLevel,
  SpecRestApi,
} from "aws-cdk-lib/aws-apigateway";
import { Tracing } from "aws-cdk-lib/aws-lambda";
import type { LogGroup } from "aws-cdk-lib/aws-logs";
import type { Queue } from "aws-cdk-lib/aws-sqs";
import { CfnSamplingRule } from "aws-cdk-lib/aws-xray";
import { Construct } from "constructs";
import type { Endpoint } from "../../functions/api/endpoint.ts";
import { minimumCompressionBytes } from "../../functions/api/gatewayResponses.ts";
import { type RateLimit, rateLimitEnvironment } from "../../functions/api/rateLimit.ts";
import type { ApiKeyPrincipal } from "../../functions/keys/apiKeyPrincipal.ts";
import { authorizationPattern } from "../../functions/keys/apiKeySecret.ts";
import type { PersonPrincipal } from "../../functions/people/personPrincipal.ts";
import { idTokenPattern, type SignInSettings, signInEnvironment } from "../../functions/people/signInSettings.ts";
import type { Stage } from "../settings.ts";
import { wildcardFinding } from "../shared/names.ts";
import {
  allowCall,
  type Directories,
  type ServiceFunctionProps,
  ServiceRole,
  serviceFunction,
  serviceLogGroup,
} from "../shared/serviceFunction.ts";
import { type DataTable, tableAccessOf } from "../table/dataTable.ts";
import { grantWake, type WebhookKey } from "../webhooks/webhooksConstruct.ts";
import { type Authorizer, gatewayDefinition } from "./gatewayDefinition.ts";

interface RestApiProps {
  stage: Stage;
  endpoints: readonly Endpoint[];
  data: DataTable;
  webhookKey: WebhookKey;
  webhookWakeUps: Queue;
  directories: Directories;
  signIn: SignInSettings;
  /** Undefined if the stage has no web ACL. */
  rateLimit: RateLimit | undefined;
}

/** The HTTP API: a function and a grant per endpoint, the authorizers, and error responses for all other requests. */
export class RestApi extends Construct {
  readonly gateway: SpecRestApi;
  readonly accessLog: LogGroup = serviceLogGroup(this, "AccessLog");
  /** The log of all functions that serve requests, so that one query finds everything about a request. */
  readonly requestLog = serviceLogGroup(this, "RequestLog");
  private readonly caller = new ServiceRole(this, "Caller", "apigateway.amazonaws.com");
  private readonly props: RestApiProps;

  constructor(scope: Construct, id: string, props: RestApiProps) {
    super(scope, id);
    this.props = props;
    const { stage, endpoints } = props;
    const title = `ticketing-${stage}`;
    this.allowCalls();
    const definition = gatewayDefinition({
      title,
      endpoints,
      authorizers: { apiKey: this.apiKeyAuthorizer(), superAdmin: this.superAdminAuthorizer() },
      functionOf: (endpoint) => this.endpointFunction(endpoint),
      callerArn: this.caller.roleArn,
    });
    this.gateway = new SpecRestApi(this, "Gateway", {
      restApiName: title,
      apiDefinition: ApiDefinition.fromInline(definition),
      endpointTypes: [EndpointType.REGIONAL],
      minCompressionSize: Size.bytes(minimumCompressionBytes),
      // The role with which all APIs of the account write logs: an account setting, which outlives the stack.
      cloudWatchRole: true,
      deployOptions: {
        stageName: stage,
        throttlingRateLimit: requestsPerSecond,
        throttlingBurstLimit: requestsInBurst,
        tracingEnabled: true,
        accessLogDestination: new LogGroupLogDestination(this.accessLog),
        accessLogFormat,
        // The execution log adds the reason if the gateway itself failed. Traces of data would be whole requests, including tokens.
        loggingLevel: MethodLoggingLevel.ERROR,
        dataTraceEnabled: false,
      },
    });
    requireTls12(this.gateway);
    sampleTraces(this, title, stage);
    // The gateway logs to a group of this name. If the group did not exist, the gateway would create one that never expires.
    const executionLog = `API-Gateway-Execution-Logs_${this.gateway.restApiId}/${stage}`;
    this.gateway.deploymentStage.node.addDependency(serviceLogGroup(this, "ExecutionLog", executionLog));
    acknowledgeFindings(this.gateway);
  }

  /**
   * A wildcard, so that during a deployment the gateway keeps its right to call functions that are about to be removed. CloudFormation begins the names of this construct's functions with its id.
   */
  private allowCalls(): void {
    const functions = this.functionArn(`${Stack.of(this).stackName}-${this.node.id}*:live`);
    allowCall(this.caller, functions);
    const reason = "Only the live versions of the functions behind this API have such names.";
    Validations.of(this.caller).acknowledge({ id: wildcardFinding(this, functions), reason });
  }

  private functionArn(resourceName: string): string {
    const arnFormat = ArnFormat.COLON_RESOURCE_NAME;
    return Stack.of(this).formatArn({ service: "lambda", resource: "function", resourceName, arnFormat });
  }

  private endpointFunction(endpoint: Endpoint): string {
    const { operationId, method, path, table, tableAccess, signs, wakes, limits, timeoutMs } = endpoint;
    const { data, rateLimit, webhookKey, webhookWakeUps } = this.props;
    const environment = limits && rateLimit ? rateLimitEnvironment(rateLimit) : undefined;
    const handler = this.requestFunction(operationId, `${method} ${path}`, { timeoutMs, environment });
    if (table) data.grant(handler, table, tableAccessOf[tableAccess]);
    if (signs) webhookKey.grant(handler);
    if (wakes) grantWake(webhookWakeUps, handler);
    return handler.live.functionArn;
  }

  private apiKeyAuthorizer(): Authorizer {
    const handler = this.requestFunction("apiKeyAuthorizer", "Checks API keys", {
      // None in dev: Lambda cannot reserve concurrency in a new account, whose quota may be 10.
      reservedConcurrentExecutions: this.props.stage === "dev" ? undefined : authorizerConcurrency,
    });
    this.props.data.grant(handler, ["GetItem", "UpdateItem"], tableAccessOf.apiKeyHashes);
    return { functionArn: handler.live.functionArn, pattern: authorizationPattern };
  }

  /**
   * Accepts ID tokens of signed-in people; each endpoint checks for the super-admin role. The gateway refers to the function by its name,
   * since CloudFormation refuses circles: the function contains the page's client id, the client contains the distribution's address, and
   * the distribution contains the gateway's.
   */
  private superAdminAuthorizer(): Authorizer {
    const name = "superAdminAuthorizer";
    const functionName = `${Stack.of(this).stackName}-${name}`;
    const environment = signInEnvironment(this.props.signIn);
    const handler = this.requestFunction(name, "Checks ID tokens", { functionName, environment });
    const functionArn = this.functionArn(`${functionName}:${handler.live.aliasName}`);
    allowCall(this.caller, functionArn);
    return { functionArn, pattern: idTokenPattern };
  }

  private requestFunction(name: string, description: string, others: Partial<ServiceFunctionProps> = {}) {
    const common = { directories: this.props.directories, logGroup: this.requestLog, tracing: Tracing.ACTIVE };
    return serviceFunction(this, name, { description, ...common, ...others });
  }
}

/**
 * The gateway's own address would accept TLS 1.0. Policies with this prefix also need an access mode; the strict one is for addresses that
 * no distribution calls ("Security policies for REST APIs" in the API Gateway developer guide).
 */
function requireTls12({ node: { defaultChild } }: SpecRestApi): void {
  if (!CfnRestApi.isCfnRestApi(defaultChild)) throw new Error("The gateway has no resource of its own.");
  defaultChild.securityPolicy = "SecurityPolicy_TLS13_1_2_PQ_2025_09";
  defaultChild.endpointAccessMode = "BASIC";
}

/**
 * Traces one request in twenty, and no other calls. X-Ray by default also traces the first request of each second
 * (https://docs.aws.amazon.com/apigateway/latest/developerguide/apigateway-configuring-xray-sampling-rules.html), and so does Lambda, unless
 * its caller has decided, as the gateway does. Lambda's rate cannot be changed
 * (https://docs.aws.amazon.com/lambda/latest/dg/services-xray.html).
 */
function sampleTraces(scope: Construct, title: string, stage: Stage): void {
  new CfnSamplingRule(scope, "Sampling", {
    samplingRule: {
      ruleName: title,
      version: 1,
      priority: 1_000,
      reservoirSize: 0,
      fixedRate: 0.05,
      serviceType: "AWS::ApiGateway::Stage",
      serviceName: `${title}/${stage}`,
      host: "*",
      httpMethod: "*",
      urlPath: "*",
      resourceArn: "*",
    },
  });
}

function acknowledgeFindings(gateway: SpecRestApi): void {
  Validations.of(gateway).acknowledge(
    {
      id: "AwsSolutions-APIG2",
      reason: "Every function validates the whole request with its schemas and reports errors in the API's own format.",
    },
    {
      id: "AwsSolutions-APIG3",
      reason: "Every request needs a key and is throttled. A web ACL filters requests unless it is turned off.",
    },
    {
      id: "AwsSolutions-IAM4[Policy::arn:<AWS::Partition>:iam::aws:policy/service-role/AmazonAPIGatewayPushToCloudWatchLogs]",
      reason: "AWS maintains this policy for the account's gateway logging role, and the gateway requires it.",
    },
  );
}

const principal = (name: keyof ApiKeyPrincipal | keyof PersonPrincipal) => `$context.authorizer.${name}`;

/**
 * One JSON line per request, whether or not it reached a function. It has the route instead of the path, and no header, query or
 * address, so it contains no secrets and no personal data. The gateway writes `-` for missing values.
 */
const accessLogFormat = AccessLogFormat.custom(
  JSON.stringify({
    request_id: "$context.requestId",
    // The ids of the calls in Lambda's own log lines, and the id of the trace: together they find every line of a request.
    authorizer_request_id: "$context.authorizer.requestId",
    integration_request_id: "$context.integration.requestId",
    trace_id: "$context.xrayTraceId",
    time_ms: "$context.requestTimeEpoch",
    method: "$context.httpMethod",
    route: "$context.resourcePath",
    status: "$context.status",
    latency_ms: "$context.responseLatency",
    integration_latency_ms: "$context.integrationLatency",
    authorizer_latency_ms: "$context.authorizer.latency",
    authorizer_error: "$context.authorizer.error",
    error_type: "$context.error.responseType",
    // Lambda's own status: 429 if it throttled the function.
    integration_status: "$context.integrationStatus",
    authorizer_status: "$context.authorizer.integrationStatus",
    organisation_id: principal("organisationId"),
    key_prefix: principal("keyPrefix"),
    super_admin_of: principal("superAdminOf"),
    subject: principal("subject"),
  }),
);

/**
 * The requests of all callers together, above which a stage returns 429: three tenths of an account's default
 * (https://docs.aws.amazon.com/apigateway/latest/developerguide/limits.html), which leaves room for other APIs of the account.
 * docs/operators/capacity.md has the arithmetic of floods.
 */
export const requestsPerSecond = 3_000;
export const requestsInBurst = 1_500;

/**
 * The processes of the API key authorizer, so that a bulk load cannot take those that every request needs. It is also the authorizer's
 * maximum, and enough for the stage's limit: a process takes ten requests a second, however short they are
 * (https://docs.aws.amazon.com/lambda/latest/dg/gettingstarted-limits.html).
 */
const authorizerConcurrency = requestsPerSecond / 10;
