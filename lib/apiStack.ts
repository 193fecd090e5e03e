import { CfnOutput, RemovalPolicies, RemovalPolicy, Stack } from "aws-cdk-lib";
import type { Construct } from "constructs";
import type { Endpoint } from "../functions/api/endpoint.ts";
import { CanaryReleases } from "./api/canaryReleases.ts";
import { addRequestAlarms } from "./api/requestAlarms.ts";
import { RestApi } from "./api/restApi.ts";
import { type bundleFunctions, entryPointsWith } from "./bundleFunctions.ts";
import type { DataStack } from "./dataStack.ts";
import { BulkImport } from "./feed/bulkImportConstruct.ts";
import { Feed } from "./feed/feedConstruct.ts";
import { Usage } from "./keys/usage.ts";
import { observe } from "./observability/observability.ts";
import { SignIn } from "./people/signIn.ts";
import { Probe } from "./probe/probeConstruct.ts";
import { isOn, type Settings, type Stage } from "./settings.ts";
import type { Directories } from "./shared/serviceFunction.ts";
import { OutgoingEvents } from "./stream/outgoingEventsConstruct.ts";
import { TableStream } from "./stream/tableStreamConstruct.ts";
import { addTableAlarms } from "./table/tableAlarms.ts";
import { Webhooks } from "./webhooks/webhooksConstruct.ts";
import { type RequestsPerMinute, WebAcl } from "./website/webAcl.ts";
import { Website, type WebsiteParts } from "./website/website.ts";

interface Sources {
  endpoints: readonly Endpoint[];
  bundleFunctions: typeof bundleFunctions;
  website: WebsiteParts;
}

/** The resources of a stage that contain no data. The stack can be deleted and created again. */
export class ApiStack extends Stack {
  constructor(scope: Construct, settings: Settings, dataStack: DataStack, sources: Sources) {
    const { stage, account, region } = settings;
    super(scope, `ticketing-${stage}`, {
      description: `Ticketing API, stage ${stage}`,
      env: { account, region },
      // CloudFormation's limit is 1 MB.
      suppressTemplateIndentation: true,
    });
    const { data, people, backup, probeKey, webhookKey, webhookWakeUps } = dataStack;
    const { endpoints } = sources;
    const directories = sources.bundleFunctions(entryPointsWith(endpoints));
    const signIn = new SignIn(this, "SignIn", settings, people);
    const requestsPerMinute = isOn(settings, "webAcl") ? limitsOf(settings) : undefined;
    const api = new RestApi(this, "Api", {
      stage,
      endpoints,
      data,
      webhookKey,
      webhookWakeUps,
      directories,
      signIn: signIn.settings,
      rateLimit: requestsPerMinute,
    });
    const { gateway } = api;
    const secretVersion = settings.originSecretVersion;
    const webAcl = requestsPerMinute && new WebAcl(this, "WebAcl", { gateway, requestsPerMinute, secretVersion });
    const webhooks = addFlows(this, dataStack, {
      requestLog: api.requestLog,
      feedSilenceHours: settings.feedSilenceHours ?? (stage === "prod" ? 24 : 0),
      directories,
    });
    const website = new Website(this, "Website", {
      gateway,
      originSecret: webAcl?.originSecret,
      rateLimit: requestsPerMinute,
      settings,
      parts: sources.website,
      signIn,
    });
    webAcl?.surround(website.distribution);
    webhooks.announce(website.baseUrl);
    signIn.servePage(`${website.baseUrl}/developer`);
    if (probeKey) new Probe(this, "Probe", { baseUrl: website.baseUrl, key: probeKey, settings, directories });
    addTableAlarms(this, data.table);
    backup?.addAlarm(this);
    const releaseAlarms = addRequestAlarms(api);
    observe(this, api, dataStack);
    if (isOn(settings, "canary")) {
      const seldomUsed = endpoints.flatMap(({ caller, operationId }) =>
        caller.scheme === "apiKey" ? [] : operationId,
      );
      new CanaryReleases(this, "Releases", { functions: api, alarmNames: releaseAlarms, seldomUsed });
    }
    keepLogs(this, stage);
    addOutputs(this, website, gateway.restApiId);
  }
}

function addOutputs(stack: Stack, { baseUrl, distribution }: Website, ApiId: string): void {
  const outputs = {
    BaseUrl: baseUrl,
    DistributionDomainName: distribution.distributionDomainName,
    DocsUrl: `${baseUrl}/docs`,
    DeveloperAreaUrl: `${baseUrl}/developer`,
    ApiId,
  };
  for (const [name, value] of Object.entries(outputs)) new CfnOutput(stack, name, { value });
}

/** The logs of a disposable stage go with it. */
function keepLogs(scope: Construct, stage: Stage): void {
  RemovalPolicies.of(scope).apply(stage === "dev" ? RemovalPolicy.DESTROY : RemovalPolicy.RETAIN_ON_UPDATE_OR_DELETE, {
    applyToResourceTypes: ["AWS::Logs::LogGroup"],
  });
}

interface FlowsProps {
  requestLog: RestApi["requestLog"];
  feedSilenceHours: number;
  directories: Directories;
}

/** The functions besides the API's: the intake of records, and consumers of changes and of the log. */
function addFlows(
  scope: Construct,
  { data, feed, files, bus, failedStreamRecords, failedEvents, failedUsage, webhookKey, webhookWakeUps }: DataStack,
  { requestLog, feedSilenceHours, directories }: FlowsProps,
): Webhooks {
  const webhooks = new Webhooks(scope, "Webhooks", { data, key: webhookKey, wakeUps: webhookWakeUps, directories });
  const ofStream = { data, wakeUps: webhookWakeUps, failedRecords: failedStreamRecords, directories };
  new TableStream(scope, "TableStream", ofStream);
  new Usage(scope, "Usage", { requestLog, data, failedBatches: failedUsage, directories });
  new Feed(scope, "Feed", { data, feed, silenceHours: feedSilenceHours, directories });
  new BulkImport(scope, "BulkImport", { files, feed: feed.queue, directories });
  const ofEvents = { data, bus, failedRecords: failedEvents, directories };
  new OutgoingEvents(scope, "OutgoingEvents", ofEvents);
  return webhooks;
}

function limitsOf(settings: Settings): RequestsPerMinute {
  return {
    key: settings.requestsPerMinutePerKey,
    organisation: settings.requestsPerMinutePerOrganisation,
    address: settings.requestsPerMinutePerAddress,
    withoutKey: settings.requestsPerMinuteWithoutKey,
  };
}
