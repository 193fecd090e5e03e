import {
  CloudFrontClient,
  ListDistributionsCommand,
  ListResponseHeadersPoliciesCommand,
} from "@aws-sdk/client-cloudfront";
import type { Account } from "./openAccount.ts";
import { quotaOf } from "./quotaChecks.ts";
import { type Check, CheckFailure } from "./runChecks.ts";

/** The numbers in one stage. */
export const distributionsOfStage = 1;
export const headerPoliciesOfStage = 3;

/** Only creating a distribution shows whether an account may. An account that has one may create more. */
export function cloudFrontChecks(config: Account["config"]): Check[] {
  const client = new CloudFrontClient(config);
  return [
    {
      name: "CloudFront distributions",
      async check() {
        const { DistributionList } = await client.send(new ListDistributionsCommand({}));
        const count = DistributionList?.Quantity ?? 0;
        await assertRoom(config, "L-24B04930", { count, more: distributionsOfStage, name: "Web distributions" });
        if (count > 0) return `${count}, so the account may create them.`;
        return "none yet. AWS may refuse the first one until Support has verified a new account; this cannot be checked in advance.";
      },
    },
    {
      name: "CloudFront response headers policies",
      async check() {
        const { ResponseHeadersPolicyList } = await client.send(
          new ListResponseHeadersPoliciesCommand({ Type: "custom" }),
        );
        const count = ResponseHeadersPolicyList?.Quantity ?? 0;
        const more = headerPoliciesOfStage;
        const limit = await assertRoom(config, "L-CF0D4FC5", { count, more, name: "Response headers policies" });
        return `${count} of ${limit}.`;
      },
    },
  ];
}

async function assertRoom(
  config: Account["config"],
  code: string,
  { count, more, name }: { count: number; more: number; name: string },
): Promise<number> {
  const limit = await quotaOf(config, "cloudfront", code);
  if (count + more > limit)
    throw new CheckFailure(
      `The account has ${count} of ${limit}, and a stage needs ${more}. Request an increase of "${name}" in Service Quotas.`,
    );
  return limit;
}
