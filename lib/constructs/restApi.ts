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
 * What one stage takes in all before it answers 429: a tenth of what an account may by default
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

/** The HTTP API: for every endpoint its method, its function and its grant, and answers for everything else. */
export class RestApi extends Construct {
  readonly gateway: GatewayRestApi;
  readonly accessLog = serviceLogGroup(this, "AccessLog");
  /** As whom the gateway calls functions. */
  private readonly caller = new ServiceRole(this, "Caller", "apigateway.amazonaws.com");

  constructor(scope: Construct, id: string, { stage, endpoints, data, directories, signIn }: RestApiProps) {
    super(scope, id);
    this.gateway = new GatewayRestApi(this, "Gateway", {
      restApiName: `ticketing-${stage}`,
      endpointTypes: [EndpointType.REGIONAL],
      minCompressionSize: Size.bytes(minimumCompressionBytes),
      // The role by which every API of the account may write logs: one setting of the account, which outlives the stack.
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
    this.answerTheRest(endpoints);
    acknowledgeFindings(this.gateway);
  }

  /** The access log says how a request ended; the execution log adds why, where the gateway itself failed. */
  private stageOptions(stage: Stage): StageOptions {
    return {
      stageName: stage,
      ...throttling,
      tracingEnabled: true,
      accessLogDestination: new LogGroupLogDestination(this.accessLog),
      accessLogFormat,
      loggingLevel: MethodLoggingLevel.ERROR,
      // It would log whole requests, tokens included.
      dataTraceEnabled: false,
    };
  }

  /** The gateway writes its execution log to a group of this name, and makes one that it keeps for ever where there is none. */
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

  /** A path without endpoints is unknown, one that is only on the way to others too; elsewhere it is the method that is unknown. */
  private answerTheRest(endpoints: readonly Endpoint[]): void {
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

/** By whom an endpoint serves, what its function may reach. */
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
      reason:
        "Every function parses the whole request with its schemas, and tells what is wrong in the API's own error shape.",
    },
    {
      id: "AwsSolutions-APIG3",
      reason:
        "Every request needs a key and is throttled, and a web ACL stands before it, unless the stage is told to do without.",
    },
    {
      id: "AwsSolutions-IAM4[Policy::arn:<AWS::Partition>:iam::aws:policy/service-role/AmazonAPIGatewayPushToCloudWatchLogs]",
      reason:
        "The account's role for the gateway's logs; AWS keeps this policy for it, and the gateway asks for no less.",
    },
    {
      id: "AwsSolutions-COG4",
      reason:
        "Authorizers of our own check the API keys of integrations, and the ID tokens of people, whichever provider these are from.",
    },
  );
}
