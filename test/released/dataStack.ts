/*
 * Records the data stack of a release, for test/released/dataStack.test.ts. Run it once, in a checkout of the release, and commit the file:
 *
 *   node test/released/dataStack.ts > test/released/dataStack.json
 */
import packageJson from "../../package.json" with { type: "json" };
import type { Json, Template } from "../lib/support/synthesise.ts";
import { synthesised } from "../lib/support/synthesised.ts";

/** The part of a data stack that later versions must not change: its resources with data or with names that others know, and its outputs. */
export interface ReleasedStack {
  version: string;
  resources: Record<string, { Type: string; Properties: Json }>;
  outputs: string[];
}

const types = /^AWS::(DynamoDB|Cognito|S3|SQS|Events|Backup)::(?!.*Policy|UserPoolClient|Rule)/;

export function releasedStack({ Resources, Outputs }: Template, version: string): ReleasedStack {
  const kept = Object.entries(Resources).filter(([, { Type }]) => types.test(Type));
  const resources = kept.map(([id, { Type, Properties }]) => [id, { Type, Properties }]);
  return { version, resources: Object.fromEntries(resources), outputs: Object.keys(Outputs) };
}

if (import.meta.main) {
  const { data } = synthesised({ stage: "prod" }).stacks;
  console.log(JSON.stringify(releasedStack(data, packageJson.version), null, 2));
}
