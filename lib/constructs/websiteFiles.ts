import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { Validations } from "aws-cdk-lib";
import type { IRole } from "aws-cdk-lib/aws-iam";
import type { IBucket } from "aws-cdk-lib/aws-s3";
import { BucketDeployment, CacheControl, type ISource, Source } from "aws-cdk-lib/aws-s3-deployment";
import { Construct } from "constructs";
import { json, revalidated, type WebsiteFile } from "../../web/websiteFile.ts";
import { serviceLogGroup } from "./serviceLogGroup.ts";

/**
 * Puts the files into the bucket when the stack is deployed. Their Cache-Control alone says how long the distribution keeps them. Earlier
 * ones stay, so that a page that is open already still finds what it loads.
 */
export class WebsiteFiles extends Construct {
  private readonly logGroup = serviceLogGroup(this, "Logs");
  private readonly bucket: IBucket;
  private deployments = 0;

  constructor(scope: Construct, id: string, bucket: IBucket, files: readonly WebsiteFile[]) {
    super(scope, id);
    this.bucket = bucket;
    const directory = mkdtempSync(join(tmpdir(), "website-"));
    process.once("exit", () => rmSync(directory, { recursive: true, force: true }));
    // A deployment has one type and one Cache-Control for all of its files.
    const alike = Map.groupBy(files, ({ contentType, cacheControl }) => `${contentType}, ${cacheControl}`);
    for (const [label, [first, ...others]] of alike) {
      if (!first) continue;
      this.deploy(label, Source.asset(writeFiles(directory, [first, ...others])), first);
    }
  }

  /** Adds a file whose content is known only when the stack is deployed. */
  addJson(path: string, content: object): void {
    this.deploy(path, Source.jsonData(path.slice(1), content), { contentType: json, cacheControl: revalidated });
  }

  private deploy(id: string, source: ISource, { contentType, cacheControl }: FileKind): void {
    const { handlerRole, node } = new BucketDeployment(this, id, {
      sources: [source],
      destinationBucket: this.bucket,
      contentType,
      cacheControl: [CacheControl.fromString(cacheControl)],
      // It would take the files of the other deployments for removed ones.
      prune: false,
      logGroup: this.logGroup,
    });
    acknowledgeFindings(handlerRole);
    // All deployments are made by one function, which has the layer of the first.
    if (this.deployments++ > 0) node.tryRemoveChild("AwsCliLayer");
  }
}

type FileKind = Pick<WebsiteFile, "contentType" | "cacheControl">;

/** CDK's own function copies the files. Its role and its runtime are CDK's, and cannot be chosen. */
function acknowledgeFindings({ node }: IRole): void {
  if (!node.scope) return;
  const copying =
    "CDK's function copies from the bucket of its assets, which it may read, to the website's, which it may write.";
  const findings = [
    "Action::s3:GetBucket*",
    "Action::s3:GetObject*",
    "Action::s3:List*",
    "Action::s3:Abort*",
    "Action::s3:DeleteObject*",
    "Resource::arn:<AWS::Partition>:s3:::cdk-hnb659fds-assets-<AWS::AccountId>-<AWS::Region>/*",
    "Resource::<WebsiteBucket4326D7C2.Arn>/*",
  ];
  Validations.of(node.scope).acknowledge(
    { id: "AwsSolutions-L1", reason: "The runtime of CDK's function is chosen by CDK." },
    {
      id: "AwsSolutions-IAM4[Policy::arn:<AWS::Partition>:iam::aws:policy/service-role/AWSLambdaBasicExecutionRole]",
      reason: "CDK gives its function this policy, to write its logs.",
    },
    ...findings.map((finding) => ({ id: `AwsSolutions-IAM5[${finding}]`, reason: copying })),
  );
}

/** Writes the files into a new directory in the given one. */
function writeFiles(parent: string, files: readonly WebsiteFile[]): string {
  const directory = mkdtempSync(join(parent, "files-"));
  for (const { path, body } of files) {
    const file = join(directory, path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, body);
  }
  return directory;
}
