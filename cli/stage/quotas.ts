import * as z from "zod";
import type { Settings } from "../../lib/settings.ts";
import { callAws } from "../shared/callAws.ts";

/** What a stage needs of its account, from docs/operators/deployment.md. A test compares the numbers with the stage's own. */
export const needed = {
  concurrency: 700,
  requestsPerSecond: 3_000,
  requestsInBurst: 1_500,
  distributions: 1,
  policies: 3,
};

/** One thing that a stage needs: the number, or the word, that the account has, and the least that suffices. */
interface Room {
  what: string;
  has: number | string;
  needs: number | string;
}

/** What the account has for one more stage with these settings, and what it lacks, in words. */
export async function roomFor(settings: Settings): Promise<{ enough: string[]; missing: string[] }> {
  const groups = await Promise.all([functions(settings), gateway(), website(), certificate(settings)]);
  const described = groups.flat().map(({ what, has, needs }) => {
    const isEnough = typeof has === "number" ? has >= Number(needs) : has === needs;
    return { isEnough, text: `${what}: ${has}, of which a stage needs ${needs}.` };
  });
  const texts = (wanted: boolean) => described.filter(({ isEnough }) => isEnough === wanted).map(({ text }) => text);
  return { enough: texts(true), missing: texts(false) };
}

async function functions({ stage }: Settings): Promise<Room[]> {
  // A dev stage reserves none.
  if (stage === "dev") return [];
  const answer = await callAws({ service: "lambda", path: "/2016-08-19/account-settings" });
  const Answer = z.object({ AccountLimit: z.object({ ConcurrentExecutions: z.number() }) });
  const has = Answer.parse(JSON.parse(answer)).AccountLimit.ConcurrentExecutions;
  return [{ what: "Lambda functions at once", has, needs: needed.concurrency }];
}

async function gateway(): Promise<Room[]> {
  const answer = await callAws({ service: "apigateway", path: "/account" });
  const Answer = z.object({ throttleSettings: z.object({ rateLimit: z.number(), burstLimit: z.number() }) });
  const { rateLimit, burstLimit } = Answer.parse(JSON.parse(answer)).throttleSettings;
  return [
    { what: "Requests a second through API Gateway", has: rateLimit, needs: needed.requestsPerSecond },
    { what: "Requests in a burst through API Gateway", has: burstLimit, needs: needed.requestsInBurst },
  ];
}

const Quotas = z.object({ Quotas: z.array(z.object({ QuotaName: z.string(), Value: z.number() })) });

/** CloudFront's quotas are in us-east-1 (https://docs.aws.amazon.com/general/latest/gr/cf_region.html). */
async function website(): Promise<Room[]> {
  const input = { ServiceCode: "cloudfront", MaxResults: 100 };
  const operation = "ServiceQuotasV20190624.ListServiceQuotas";
  const answer = await callAws({ service: "servicequotas", region: "us-east-1", operation, input });
  const quotas = Quotas.parse(JSON.parse(answer)).Quotas;
  const used = async (path: string) =>
    Number(/<Quantity>(\d+)</.exec(await callAws({ service: "cloudfront", path: `/2020-05-31/${path}` }))?.[1]);
  // Each with AWS's default.
  const room = async (what: string, [quota, Value]: [RegExp, number], path: string, needs: number) => {
    const found = quotas.find(({ QuotaName }) => quota.test(QuotaName)) ?? { Value };
    return { what, has: found.Value - (await used(path)), needs };
  };
  return Promise.all([
    room(
      "CloudFront distributions left",
      [/^(web )?distributions per AWS account$/i, 200],
      "distribution",
      needed.distributions,
    ),
    room(
      "CloudFront response headers policies left",
      [/^response headers policies per AWS account$/i, 20],
      "response-headers-policy?Type=custom",
      needed.policies,
    ),
  ]);
}

async function certificate({ certificateArn, domainName }: Settings): Promise<Room[]> {
  if (certificateArn === undefined) return [];
  const operation = "CertificateManager.DescribeCertificate";
  const input = { CertificateArn: certificateArn };
  const answer = await callAws({ service: "acm", region: "us-east-1", operation, input });
  const Answer = z.object({ Certificate: z.object({ Status: z.string() }) });
  const { Status } = Answer.parse(JSON.parse(answer)).Certificate;
  return [{ what: `State of the certificate for ${domainName}`, has: Status, needs: "ISSUED" }];
}
