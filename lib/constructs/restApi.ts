import { Size, Validations } from "aws-cdk-lib";
import {
  AuthorizationType,
  AwsIntegration,
  EndpointType,
  RestApi as GatewayRestApi,
  type IAuthorizer,
  LogGroupLogDestination,
  MethodLoggingLevel,
  type StageOptions,
} from "aws-cdk-lib/aws-apigateway";
import { Construct } from "constructs";
import type { SignInSettings } from "../../functions/auth/signInSettings.ts";
import { minimumCompressionBytes } from "../../functions/http/compression.ts";
import type { Endpoint } from "../../functions/http/endpoint.ts";
import { unknownMethod, unknownPath } from "../../functions/http/gatewayResponses.ts";
import type { Stage } from "../settings.ts";
import { accessLogFormat } from "./accessLog.ts";
import { apiKeyAuthorizer } from "./apiKeyAuthorizer.ts";
import { type DataTable, type Reach, reaches } from "./dataTable.ts";
import { addGatewayResponses, addMockAnswer } from "./gatewayAnswers.ts";
import { type Directories, serviceFunction } from "./serviceFunction.ts";
import { serviceLogGroup } from "./serviceLogGroup.ts";
import { ServiceRole } from "./serviceRole.ts";
import { superAdminAuthorizer } from "./superAdminAuthorizer.ts";

/**
 * The stage's limit for all callers together, above which it returns 429: a tenth of an account's default
 * (https://docs.aws.amazon.com/apigateway/latest/developerguide/limits.html), so that no stage can use up another's share.
 */
const throttling = { throttlingRateLimit: 1_000, throttlingBurstLimit: 500 };

export interface RestApiProps {
  stage: Stage;
  endpoints: readonly Endpoint[];
  data: DataTable;
  directories: Directories;
  signIn: SignInSettings;
}

/** The HTTP API: a method, a function and a grant per endpoint, and error responses for all other requests. */
export class RestApi extends Construct {
  readonly gateway: GatewayRestApi;
  readonly accessLog = serviceLogGroup(this, "AccessLog");
  /** The gateway's role for calling functions. */
  private readonly caller = new ServiceRole(this, "Caller", "apigateway.amazonaws.com");

  constructor(scope: Construct, id: string, { stage, endpoints, data, directories, signIn }: RestApiProps) {
    super(scope, id);
    this.gateway = new GatewayRestApi(this, "Gateway", {
      restApiName: `ticketing-${stage}`,
      endpointTypes: [EndpointType.REGIONAL],
      minCompressionSize: Size.bytes(minimumCompressionBytes),
      // The role with which all APIs of the account write logs: an account setting, which outlives the stack.
      cloudWatchRole: true,
      deployOptions: this.stageOptions(stage),
    });
    this.addExecutionLog(stage);
    addGatewayResponses(this.gateway);
    const authorizers = {
      apiKey: apiKeyAuthorizer(this, { caller: this.caller, directories, data }),
      superAdmin: superAdminAuthorizer(this, { caller: this.caller, directories, signIn }),
    };
    for (const endpoint of endpoints) {
      this.addEndpoint(endpoint, authorizers, data, directories);
    }
    this.addUnknownRoutes(endpoints);
    acknowledgeFindings(this.gateway);
  }

  /** The access log has each request's result; the execution log adds the reason if the gateway itself failed. */
  private stageOptions(stage: Stage): StageOptions {
    return {
      stageName: stage,
      ...throttling,
      tracingEnabled: true,
      accessLogDestination: new LogGroupLogDestination(this.accessLog),
      accessLogFormat,
      loggingLevel: MethodLoggingLevel.ERROR,
      // It would log whole requests, including tokens.
      dataTraceEnabled: false,
    };
  }

  /** The gateway logs to a group of this name. If the group did not exist, the gateway would create one that never expires. */
  private addExecutionLog(stage: Stage): void {
    const name = `API-Gateway-Execution-Logs_${this.gateway.restApiId}/${stage}`;
    this.gateway.deploymentStage.node.addDependency(serviceLogGroup(this, "ExecutionLog", name));
  }

  private addEndpoint(endpoint: Endpoint, authorizers: Authorizers, data: DataTable, directories: Directories): void {
    const { operationId, method, path, table, caller } = endpoint;
    const handler = serviceFunction(this, operationId, { directories, description: `${method} ${path}` });
    if (table) data.grant(handler, table, reachOf[caller.scheme]);
    const integration = new AwsIntegration({
      service: "lambda",
      path: `2015-03-31/functions/${handler.grantCall(this.caller)}/invocations`,
      proxy: true,
      options: { credentialsRole: this.caller },
    });
    this.gateway.root.resourceForPath(path).addMethod(method, integration, {
      authorizationType: AuthorizationType.CUSTOM,
      authorizer: authorizers[caller.scheme],
    });
  }

  /** Unknown methods of an endpoint's path get 405. All other paths, including parents of endpoints' paths, get 404. */
  private addUnknownRoutes(endpoints: readonly Endpoint[]): void {
    const methodsByPath = Map.groupBy(endpoints, ({ path }): string => path);
    const paths = new Set(["/", "/{proxy+}", ...endpoints.flatMap(({ path }) => pathsTo(path))]);
    for (const path of paths) {
      const methods = methodsByPath.get(path)?.map(({ method }) => method);
      addMockAnswer(this.gateway.root.resourceForPath(path), methods ? unknownMethod(methods) : unknownPath);
    }
  }
}

type Scheme = Endpoint["caller"]["scheme"];
type Authorizers = Record<Scheme, IAuthorizer>;

/** An endpoint's access depends on its kind of caller. */
const reachOf: Record<Scheme, Reach> = { apiKey: reaches.organisationData, superAdmin: reaches.keyAdministration };

/** `/v1/events` gives `/v1` and `/v1/events`. */
function pathsTo(path: string): string[] {
  const segments = path.split("/");
  return segments.slice(1).map((_segment, index) => segments.slice(0, index + 2).join("/"));
}

function acknowledgeFindings(gateway: GatewayRestApi): void {
  Validations.of(gateway).acknowledge(
    {
      id: "AwsSolutions-APIG2",
      reason: "Every function validates the whole request with its schemas and reports errors in the API's own format.",
    },
    {
      id: "AwsSolutions-APIG3",
      reason:
        "Every request needs a key and is throttled, and a web ACL filters requests unless the settings turn it off.",
    },
    {
      id: "AwsSolutions-IAM4[Policy::arn:<AWS::Partition>:iam::aws:policy/service-role/AmazonAPIGatewayPushToCloudWatchLogs]",
      reason: "AWS maintains this policy for the account's gateway logging role, and the gateway requires it.",
    },
    {
      id: "AwsSolutions-COG4",
      reason: "The service's own authorizers check API keys, and ID tokens of any OpenID Connect provider.",
    },
  );
}
