import { CfnOutput, RemovalPolicies, RemovalPolicy, Stack } from "aws-cdk-lib";
import type { Construct } from "constructs";
import { endpoints } from "../functions/endpoints/index.ts";
import type { bundleFunctions } from "./bundleFunctions.ts";
import { BulkImport } from "./constructs/bulkImport.ts";
import { CanaryReleases } from "./constructs/canaryReleases.ts";
import { DataTable } from "./constructs/dataTable.ts";
import { Feed, principalsOf } from "./constructs/feed.ts";
import { Observability } from "./constructs/observability.ts";
import { OutgoingEvents } from "./constructs/outgoingEvents.ts";
import { RestApi } from "./constructs/restApi.ts";
import { SignIn } from "./constructs/signIn.ts";
import { Summaries } from "./constructs/summaries.ts";
import { WebAcl } from "./constructs/webAcl.ts";
import { Website, type WebsiteParts } from "./constructs/website.ts";
import { functionEntryPoints } from "./functionEntryPoints.ts";
import type { Settings, Stage } from "./settings.ts";

export interface Sources {
  bundleFunctions: typeof bundleFunctions;
  website: WebsiteParts;
}

/** The whole service at one stage. */
export class TicketingStack extends Stack {
  constructor(scope: Construct, settings: Settings, sources: Sources) {
    const { stage } = settings;
    super(scope, `ticketing-${stage}`, {
      description: `Ticketing API, stage ${stage}`,
      terminationProtection: stage !== "dev",
    });
    const directories = sources.bundleFunctions(functionEntryPoints);
    const data = new DataTable(this, "Data", settings);
    const signIn = new SignIn(this, "SignIn", settings);
    const api = new RestApi(this, "Api", { stage, endpoints, data, directories, signIn: signIn.settings });
    const { gateway } = api;
    const { requestsPerMinutePerKey: key, requestsPerMinutePerAddress: address } = settings;
    const webAcl = isOn(settings.webAcl, stage)
      ? new WebAcl(this, "WebAcl", { gateway, requestsPerMinute: { key, address } })
      : undefined;
    new Summaries(this, "Summaries", { data, directories });
    const senders = principalsOf(settings.feedSenders);
    const { queue } = new Feed(this, "Feed", { data, directories, senders });
    const { bucket } = new BulkImport(this, "BulkImport", { stage, directories, feed: queue, senders });
    const { bus, pipeName } = new OutgoingEvents(this, "OutgoingEvents", { stage, data, directories });
    const website = new Website(this, "Website", { gateway, settings, parts: sources.website, signIn });
    signIn.servePage(`${website.baseUrl}/developer`);
    const { tableName } = data.table;
    const { topic, releaseAlarms } = new Observability(this, "Observability", {
      api,
      tableName,
      feed: queue,
      pipeName,
      blockedRequests: webAcl?.blockedRequests,
      alarmEmails: settings.alarmEmails,
    });
    if (isOn(settings.canary, stage)) new CanaryReleases(this, "Releases", api, releaseAlarms);
    RemovalPolicies.of(this).apply(stage === "dev" ? RemovalPolicy.DESTROY : RemovalPolicy.RETAIN, {
      applyToResourceTypes: ["AWS::Logs::LogGroup"],
    });
    new CfnOutput(this, "BaseUrl", { value: website.baseUrl });
    new CfnOutput(this, "DocsUrl", { value: `${website.baseUrl}/docs` });
    new CfnOutput(this, "DeveloperAreaUrl", { value: `${website.baseUrl}/developer` });
    new CfnOutput(this, "TableName", { value: tableName });
    new CfnOutput(this, "FeedQueueUrl", { value: queue.queueUrl });
    new CfnOutput(this, "ImportBucketName", { value: bucket.bucketName });
    new CfnOutput(this, "EventBusName", { value: bus.eventBusName });
    new CfnOutput(this, "AlarmTopicArn", { value: topic.topicArn });
    new CfnOutput(this, "ApiId", { value: gateway.restApiId });
  }
}

/** Features that cost money or time are on by default, except in the disposable stage. */
function isOn(setting: "on" | "off" | undefined, stage: Stage): boolean {
  return (setting ?? (stage === "dev" ? "off" : "on")) === "on";
}
