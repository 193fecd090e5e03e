import { App, Validations } from "aws-cdk-lib";
import { AwsSolutionsChecks } from "cdk-nag";
import { endpoints } from "../functions/endpoints/index.ts";
import { ApiStack } from "../lib/apiStack.ts";
import { bundleFunctions } from "../lib/bundleFunctions.ts";
import { DataStack } from "../lib/dataStack.ts";
import { settingsOf } from "../lib/settings.ts";
import { clientPackages } from "../lib/website/clientPackages.ts";
import { developerAreaSite, referenceSite } from "../lib/website/sites.ts";

const app = new App();
const { settings, problem } = settingsOf(app.node.getAllContext());
if (settings) {
  const website = {
    reference: [...referenceSite({ supportContact: settings.supportContact }), ...(await clientPackages())],
    developerArea: await developerAreaSite(),
  };
  const dataStack = new DataStack(app, settings);
  new ApiStack(app, settings, dataStack, { endpoints, bundleFunctions, website });
  Validations.of(app).addPlugins(new AwsSolutionsChecks(app));
} else {
  console.error(problem);
  process.exit(1);
}
