import { pathToFileURL } from "node:url";
import type { FunctionRole, Policy } from "./functionRoles.ts";
import type { NeededRight } from "./recordedCalls.ts";

/** The part of iam-simulate that is used here, which evaluates policies by AWS's documented rules and rejects unknown actions and keys. */
interface Simulator {
  runSimulation: (simulation: object, options: object) => Promise<{ resultType: string; overallResult?: string }>;
}

const accountId = "000000000000";

/** A key's policy lets IAM decide (https://docs.aws.amazon.com/kms/latest/developerguide/key-policy-default.html). */
const keyPolicy = {
  Version: "2012-10-17",
  Statement: [
    { Effect: "Allow", Action: "kms:*", Resource: "*", Principal: { AWS: `arn:aws:iam::${accountId}:root` } },
  ],
};

/** The needed rights that a function's role lacks. @throws Error for a request that cannot exist on AWS. */
export async function missingRights(
  needed: readonly NeededRight[],
  { roleArn }: FunctionRole,
  policy: Policy,
): Promise<NeededRight[]> {
  const results = needed.map(async (right) => ((await isAllowed(right, roleArn, policy)) ? [] : [right]));
  return (await Promise.all(results)).flat();
}

async function isAllowed(
  { action, resource, leadingKeys, attributes }: NeededRight,
  principal: string,
  policy: Policy,
) {
  // `.ci/run deployed` installs it; IAM_SIMULATE names its main file.
  const { runSimulation }: Simulator = await import(pathToFileURL(process.env.IAM_SIMULATE ?? "").href);
  const request = {
    principal,
    action,
    resource: { resource, accountId },
    contextVariables: {
      ...(leadingKeys && { "dynamodb:LeadingKeys": leadingKeys }),
      ...(attributes && { "dynamodb:Attributes": attributes }),
    },
  };
  const { resultType, overallResult, ...errors } = await runSimulation(
    {
      request,
      identityPolicies: policy.Statement.length > 0 ? [{ name: "Rights", policy }] : [],
      serviceControlPolicies: [],
      resourceControlPolicies: [],
      resourcePolicy: action.startsWith("kms:") ? keyPolicy : undefined,
    },
    {},
  );
  if (resultType !== "single") throw new Error(JSON.stringify({ ...errors, action, resource }));
  return overallResult === "Allowed";
}

/** Takes each action from each statement in turn. @returns the actions without which the needed rights stay allowed. */
export async function unneededActions(needed: readonly NeededRight[], role: FunctionRole): Promise<string[]> {
  const { Version, Statement } = role.rights;
  const found = Statement.flatMap((statement, index) => {
    const actions = [statement.Action].flat();
    return actions.map(async (action) => {
      const others = actions.filter((one) => one !== action);
      const left = others.length > 0 ? [{ ...statement, Action: others }] : [];
      const rest = { Version, Statement: Statement.toSpliced(index, 1, ...left) };
      const affected = needed.filter((right) => right.action === action);
      return (await missingRights(affected, role, rest)).length === 0 ? [action] : [];
    });
  });
  return [...new Set((await Promise.all(found)).flat())];
}
