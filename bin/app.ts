import { App, Validations } from "aws-cdk-lib";
import { AwsSolutionsChecks } from "cdk-nag";
import { bundleFunctions } from "../lib/bundleFunctions.ts";
import { settingsOf } from "../lib/settings.ts";
import { TicketingStack } from "../lib/ticketingStack.ts";
import { developerAreaFiles } from "../web/developerArea/developerAreaFiles.ts";
import { referenceFiles } from "../web/reference/referenceFiles.ts";

const app = new App();
const { settings, problem } = settingsOf(app.node.getAllContext());
if (settings) {
  const website = { reference: referenceFiles(), developerArea: await developerAreaFiles() };
  new TicketingStack(app, settings, { bundleFunctions, website });
  Validations.of(app).addPlugins(new AwsSolutionsChecks(app));
} else {
  console.error(problem);
  process.exit(1);
}
