import { CfnOutput, RemovalPolicies, RemovalPolicy, Stack } from "aws-cdk-lib";
import type { Construct } from "constructs";
import { endpoints } from "../functions/endpoints/index.ts";
import { websiteFiles } from "../web/reference/website.ts";
import { bundleFunctions } from "./bundleFunctions.ts";
import { DataTable } from "./constructs/dataTable.ts";
import { RestApi } from "./constructs/restApi.ts";
import { Website } from "./constructs/website.ts";
import type { Stage } from "./stage.ts";

/** What is built from the sources before anything is deployed. */
const sources = { bundleFunctions, websiteFiles };

/** The whole service at one stage. */
export class TicketingStack extends Stack {
  constructor(scope: Construct, stage: Stage, build = sources) {
    super(scope, `ticketing-${stage}`, {
      description: `Ticketing API, stage ${stage}`,
      terminationProtection: stage !== "dev",
    });
    const directories = build.bundleFunctions(entryPoints());
    const data = new DataTable(this, "Data", { stage });
    const { gateway } = new RestApi(this, "Api", { stage, endpoints, data, directories });
    const { distribution } = new Website(this, "Website", {
      gateway,
      files: build.websiteFiles(),
    });
    RemovalPolicies.of(this).apply(stage === "dev" ? RemovalPolicy.DESTROY : RemovalPolicy.RETAIN, {
      applyToResourceTypes: ["AWS::Logs::LogGroup"],
    });
    const baseUrl = `https://${distribution.distributionDomainName}`;
    new CfnOutput(this, "BaseUrl", { value: baseUrl });
    new CfnOutput(this, "DocsUrl", { value: `${baseUrl}/docs` });
    new CfnOutput(this, "TableName", { value: data.table.tableName });
    new CfnOutput(this, "ApiId", { value: gateway.restApiId });
  }
}

/** The file of every function, by the function's name. */
function entryPoints(): Record<string, string> {
  const files = endpoints.map(({ operationId }) => [operationId, `functions/endpoints/${operationId}.ts`]);
  return { apiKeyAuthorizer: "functions/authorizers/apiKey.ts", ...Object.fromEntries(files) };
}
