import {
  GetAWSDefaultServiceQuotaCommand,
  GetServiceQuotaCommand,
  NoSuchResourceException,
  ServiceQuotasClient,
} from "@aws-sdk/client-service-quotas";
import { requestsInBurst, requestsPerSecond } from "../../lib/stageLimits.ts";
import type { Account } from "./openAccount.ts";
import { type Check, CheckFailure } from "./runChecks.ts";

/** The stage's own throttling, which API Gateway caps at the account's. */
const throttling = [
  { name: "API Gateway requests a second", code: "L-8A5B8E43", needed: requestsPerSecond, quota: "Throttle rate" },
  { name: "API Gateway burst", code: "L-CDF5615A", needed: requestsInBurst, quota: "Throttle burst rate" },
];

export function quotaChecks(config: Account["config"]): Check[] {
  return throttling.map(({ name, code, needed, quota }) => ({
    name,
    async check() {
      const limit = await quotaOf(config, "apigateway", code);
      if (limit < needed)
        throw new CheckFailure(
          `The account has ${limit}, and a stage allows ${needed}. Request an increase of "${quota}" in Service Quotas.`,
        );
      return `${limit} for the account, ${needed} for the stage.`;
    },
  }));
}

/** The account's quota, or AWS's default if it has none of its own. CloudFront's are in us-east-1. */
export async function quotaOf(config: Account["config"], ServiceCode: "apigateway" | "cloudfront", QuotaCode: string) {
  const client = new ServiceQuotasClient({ ...config, ...(ServiceCode === "cloudfront" && { region: "us-east-1" }) });
  try {
    const { Quota } = await client.send(new GetServiceQuotaCommand({ ServiceCode, QuotaCode }));
    return Quota?.Value ?? 0;
  } catch (error) {
    if (!(error instanceof NoSuchResourceException)) throw error;
    const { Quota } = await client.send(new GetAWSDefaultServiceQuotaCommand({ ServiceCode, QuotaCode }));
    return Quota?.Value ?? 0;
  }
}
