import { CfnOutput, RemovalPolicies, RemovalPolicy, Stack } from "aws-cdk-lib";
import type { SpecRestApi } from "aws-cdk-lib/aws-apigateway";
import type { Construct } from "constructs";
import type { Endpoint } from "../functions/api/endpoint.ts";
import { CanaryReleases } from "./api/canaryReleases.ts";
import { RestApi } from "./api/restApi.ts";
import { type bundleFunctions, entryPointsWith } from "./bundleFunctions.ts";
import { OutgoingEvents } from "./changes/outgoingEvents.ts";
import type { DataStack } from "./dataStack.ts";
import { BulkImport } from "./feed/bulkImport.ts";
import { Feed } from "./feed/feed.ts";
import { Usage } from "./keys/usage.ts";
import { Observability } from "./observability/observability.ts";
import { SignIn } from "./people/signIn.ts";
import { Probe } from "./probe/probe.ts";
import type { Settings, Stage } from "./settings.ts";
import { Summaries } from "./summaries/summaries.ts";
import { WebAcl } from "./website/webAcl.ts";
import { Website, type WebsiteParts } from "./website/website.ts";

interface Sources {
  endpoints: readonly Endpoint[];
  bundleFunctions: typeof bundleFunctions;
  website: WebsiteParts;
}

/** The resources of a stage that contain no data. The stack can be deleted and created again. */
export class ApiStack extends Stack {
  constructor(scope: Construct, settings: Settings, dataStack: DataStack, sources: Sources) {
    const { stage } = settings;
    // CloudFormation's limit is 1 MB.
    const suppressTemplateIndentation = true;
    super(scope, `ticketing-${stage}`, { description: `Ticketing API, stage ${stage}`, suppressTemplateIndentation });
    const { data, people, feed, files, bus, failedSummaries, failedEvents, failedUsage, backup } = dataStack;
    const { endpoints } = sources;
    const directories = sources.bundleFunctions(entryPointsWith(endpoints));
    const signIn = new SignIn(this, "SignIn", settings, people);
    const api = new RestApi(this, "Api", { stage, endpoints, data, directories, signIn: signIn.settings });
    const { gateway } = api;
    const webAcl = isOn(settings.webAcl, stage) ? makeWebAcl(this, gateway, settings) : undefined;
    const { mappingId } = new Summaries(this, "Summaries", { data, failedRecords: failedSummaries, directories });
    new Usage(this, "Usage", { requestLog: api.requestLog, data, failedBatches: failedUsage, directories });
    new Feed(this, "Feed", { data, feed, directories });
    new BulkImport(this, "BulkImport", { files, feed: feed.queue, directories });
    const { pipeName } = new OutgoingEvents(this, "OutgoingEvents", {
      data,
      bus,
      failedRecords: failedEvents,
      directories,
    });
    const website = new Website(this, "Website", {
      gateway,
      originSecret: webAcl?.originSecret,
      settings,
      parts: sources.website,
      signIn,
    });
    webAcl?.surround(website.distribution);
    signIn.servePage(`${website.baseUrl}/developer`);
    if (isOn(settings.probe, stage)) new Probe(this, "Probe", { baseUrl: website.baseUrl });
    const { topic, releaseAlarms } = new Observability(this, "Observability", {
      api,
      tableName: data.table.tableName,
      feed: feed.queue,
      imports: files.imports,
      summariesMapping: mappingId,
      pipeName,
      blockedRequests: webAcl?.blockedRequests,
      failedBackups: backup?.failed,
      alarmEmails: settings.alarmEmails,
    });
    if (isOn(settings.canary, stage)) new CanaryReleases(this, "Releases", api, releaseAlarms);
    RemovalPolicies.of(this).apply(stage === "dev" ? RemovalPolicy.DESTROY : RemovalPolicy.RETAIN_ON_UPDATE_OR_DELETE, {
      applyToResourceTypes: ["AWS::Logs::LogGroup"],
    });
    new CfnOutput(this, "BaseUrl", { value: website.baseUrl });
    new CfnOutput(this, "DistributionDomainName", { value: website.distribution.distributionDomainName });
    new CfnOutput(this, "DocsUrl", { value: `${website.baseUrl}/docs` });
    new CfnOutput(this, "DeveloperAreaUrl", { value: `${website.baseUrl}/developer` });
    new CfnOutput(this, "AlarmTopicArn", { value: topic.topicArn });
    new CfnOutput(this, "ApiId", { value: gateway.restApiId });
  }
}

function makeWebAcl(scope: Construct, gateway: SpecRestApi, settings: Settings): WebAcl {
  const requestsPerMinute = {
    key: settings.requestsPerMinutePerKey,
    organisation: settings.requestsPerMinutePerOrganisation,
    address: settings.requestsPerMinutePerAddress,
    withoutKey: settings.requestsPerMinuteWithoutKey,
  };
  return new WebAcl(scope, "WebAcl", { gateway, requestsPerMinute, secretVersion: settings.originSecretVersion });
}

/** Features that cost money or time are on by default, except in the disposable stage. */
function isOn(setting: "on" | "off" | undefined, stage: Stage): boolean {
  return (setting ?? (stage === "dev" ? "off" : "on")) === "on";
}
