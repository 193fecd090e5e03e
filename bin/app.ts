import { App, Validations } from "aws-cdk-lib";
import { AwsSolutionsChecks } from "cdk-nag";
import * as z from "zod";
import { bundleFunctions } from "../lib/bundleFunctions.ts";
import { Settings } from "../lib/settings.ts";
import { TicketingStack } from "../lib/ticketingStack.ts";
import { developerAreaFiles } from "../web/developerArea/developerAreaFiles.ts";
import { referenceFiles } from "../web/reference/referenceFiles.ts";

const app = new App();
/** What of the context is CDK's own, by name or by a name with a colon or a slash. */
const isOfCdk = (name: string) => name === "cli-telemetry" || /[:/]/.test(name);
const context: Record<string, unknown> = app.node.getAllContext();
const given = Object.entries(context).filter(([name]) => !isOfCdk(name));
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
