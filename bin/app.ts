import { App, Validations } from "aws-cdk-lib";
import { AwsSolutionsChecks } from "cdk-nag";
import * as z from "zod";
import { bundleFunctions } from "../lib/bundleFunctions.ts";
import { Settings } from "../lib/settings.ts";
import { TicketingStack } from "../lib/ticketingStack.ts";
import { developerAreaFiles } from "../web/developerArea/developerAreaFiles.ts";
import { referenceFiles } from "../web/reference/referenceFiles.ts";

const app = new App();
const given = Object.keys(Settings.shape).map((name) => [name, app.node.tryGetContext(name)]);
const settings = Settings.safeParse(Object.fromEntries(given));
if (settings.success) {
  const website = { reference: referenceFiles(), developerArea: await developerAreaFiles() };
  new TicketingStack(app, settings.data, { bundleFunctions, website });
  Validations.of(app).addPlugins(new AwsSolutionsChecks(app));
} else {
  console.error(
    `The settings of this deployment (cdk -c NAME=VALUE) are not valid:\n${z.prettifyError(settings.error)}`,
  );
  process.exit(1);
}
