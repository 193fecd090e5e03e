import { ACMClient, DescribeCertificateCommand } from "@aws-sdk/client-acm";
import type { Account } from "./openAccount.ts";
import { type Check, CheckFailure } from "./runChecks.ts";

/** CloudFront takes only an issued certificate in us-east-1 that covers the name. */
export function certificateCheck(config: Account["config"], domainName: string, CertificateArn: string): Check {
  return {
    name: "Certificate",
    async check() {
      const client = new ACMClient({ ...config, region: "us-east-1" });
      const { Certificate } = await client.send(new DescribeCertificateCommand({ CertificateArn }));
      const { Status: status, SubjectAlternativeNames: names = [] } = Certificate ?? {};
      if (status !== "ISSUED")
        throw new CheckFailure(
          `Its status is ${status}. Complete its validation in ACM (us-east-1), then wait for ISSUED.`,
        );
      if (!names.some((name) => covers(name, domainName)))
        throw new CheckFailure(`It covers ${names.join(", ")}, but not ${domainName}. Request one for that name.`);
      return `issued for ${domainName}.`;
    },
  };
}

/** A wildcard covers exactly one label. */
function covers(name: string, domainName: string): boolean {
  const [known, wanted] = [name.toLowerCase(), domainName.toLowerCase()];
  return known === wanted || (known.startsWith("*.") && known.slice(1) === wanted.replace(/^[^.]+/, ""));
}
