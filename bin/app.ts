import { App, Validations } from "aws-cdk-lib";
import { AwsSolutionsChecks } from "cdk-nag";
import * as z from "zod";
import { bundleFunctions } from "../lib/bundleFunctions.ts";
import { Settings } from "../lib/settings.ts";
import { TicketingStack } from "../lib/ticketingStack.ts";
import { developerAreaFiles } from "../web/developerArea/developerAreaFiles.ts";
import { referenceFiles } from "../web/reference/referenceFiles.ts";

const app = new App();
/** CDK's own context entries have a colon or a slash in their name, except this one. */
const isOfCdk = (name: string) => name === "cli-telemetry" || /[:/]/.test(name);
const context: Record<string, unknown> = app.node.getAllContext();
const given = Object.entries(context).filter(([name]) => !isOfCdk(name));
const settings = Settings.safeParse(Object.fromEntries(given));
if (settings.success) {
  const website = { reference: referenceFiles(), developerArea: await developerAreaFiles() };
  new TicketingStack(app, settings.data, { bundleFunctions, website });
  Validations.of(app).addPlugins(new AwsSolutionsChecks(app));
} else {
  console.error(`Invalid deployment settings (cdk -c NAME=VALUE):\n${z.prettifyError(settings.error)}`);
  process.exit(1);
}
