import { App, Validations } from "aws-cdk-lib";
import { AwsSolutionsChecks } from "cdk-nag";
import { Stage } from "../lib/stage.ts";
import { TicketingStack } from "../lib/ticketingStack.ts";

const app = new App();
const given: unknown = app.node.tryGetContext("stage") ?? "dev";
const stage = Stage.safeParse(given);
if (stage.success) {
  new TicketingStack(app, stage.data);
  Validations.of(app).addPlugins(new AwsSolutionsChecks(app));
} else {
  console.error(`There is no stage ${JSON.stringify(given)}. Choose one: ${Stage.options.join(", ")}.`);
  process.exit(1);
}
