import { Annotations, App, Validations } from "aws-cdk-lib";
import { AwsSolutionsChecks } from "cdk-nag";
import { routes } from "../functions/mcp/routes.ts";
import { ApiStack } from "../lib/apiStack.ts";
import { bundleFunctions } from "../lib/bundleFunctions.ts";
import { DataStack } from "../lib/dataStack.ts";
import { settingsOf } from "../lib/settings.ts";
import { clientPackages } from "../lib/website/clientPackages.ts";
import { developerAreaSite, referenceSite } from "../lib/website/sites.ts";

// The built-in validation takes half of a synthesis and only warns; cfn-lint checks the same schemas in `.ci/run templates`.
const app = new App({ builtinCloudFormationValidation: false });
const { settings, problem } = settingsOf(app.node.getAllContext());
if (settings) {
  const { stage, supportContact, domainName } = settings;
  // Without domainName, the address is known only at deployment.
  const baseUrl = domainName && `https://${domainName}`;
  const website = {
    reference: [...referenceSite({ supportContact, baseUrl }), ...(await clientPackages({ baseUrl }))],
    developerArea: await developerAreaSite(),
  };
  const dataStack = new DataStack(app, settings);
  const apiStack = new ApiStack(app, settings, dataStack, { endpoints: routes, bundleFunctions, website });
  if (stage !== "dev" && domainName === undefined)
    Annotations.of(apiStack).addWarningV2(
      "ticketing:minimumTls",
      "Without domainName, CloudFront also accepts TLS 1.0 and 1.1 from clients.",
    );
  Validations.of(app).addPlugins(new AwsSolutionsChecks(app));
} else {
  console.error(problem);
  process.exit(1);
}
