import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { Stack, Validations } from "aws-cdk-lib";
import type { IRole } from "aws-cdk-lib/aws-iam";
import type { IBucket } from "aws-cdk-lib/aws-s3";
import { BucketDeployment, CacheControl, type ISource, Source } from "aws-cdk-lib/aws-s3-deployment";
import { Construct } from "constructs";
import { wildcardFinding } from "../shared/names.ts";
import { serviceLogGroup } from "../shared/serviceFunction.ts";
import { temporaryDirectory } from "../shared/temporaryDirectory.ts";
import { json, revalidated, type WebsiteFile } from "./websiteFile.ts";

/** Copies files on deployment. Only their Cache-Control limits the distribution's caching. Older files stay, so that open pages can load them. */
export class WebsiteFiles extends Construct {
  private readonly logGroup = serviceLogGroup(this, "Logs");
  private readonly bucket: IBucket;
  private deployments = 0;

  constructor(scope: Construct, id: string, bucket: IBucket, files: readonly WebsiteFile[]) {
    super(scope, id);
    this.bucket = bucket;
    // All files of a deployment share a Cache-Control, and either one type or the types of their extensions.
    const kinds = files.map((file) => ({ ...file, contentType: isGuessed(file) ? undefined : file.contentType }));
    const alike = Map.groupBy(
      kinds,
      ({ contentType = "by extension", cacheControl }) => `${contentType}, ${cacheControl}`,
    );
    for (const [label, [first, ...others]] of alike) {
      if (!first) continue;
      this.deploy(label, [Source.asset(writeFiles([first, ...others]))], first);
    }
  }

  /** Adds files whose content is known only at deployment. @param contents by path. */
  addJson(contents: Readonly<Record<string, object>>): void {
    const sources = Object.entries(contents).map(([path, content]) => Source.jsonData(path.slice(1), content));
    this.deploy("Deployed", sources, { contentType: json, cacheControl: revalidated });
  }

  private deploy(id: string, sources: ISource[], { contentType, cacheControl }: FileKind): void {
    const { handlerRole, node } = new BucketDeployment(this, id, {
      sources,
      destinationBucket: this.bucket,
      contentType,
      cacheControl: [CacheControl.fromString(cacheControl)],
      // Pruning would delete the files of the other deployments.
      prune: false,
      logGroup: this.logGroup,
    });
    acknowledgeFindings(handlerRole, this.bucket);
    // One function makes all deployments, with the layer of the first.
    if (this.deployments++ > 0) node.tryRemoveChild("AwsCliLayer");
  }
}

interface FileKind {
  /** Guessed from the extension by default, by the AWS command line that copies the files. */
  contentType?: string | undefined;
  cacheControl: string;
}

/** The guessed types of these extensions suffice: they need no charset, or browsers take the page's. */
const isGuessed = ({ path }: WebsiteFile) => /\.(css|js|svg|tgz|whl|woff2)$/.test(path);

/** CDK's own function copies the files. Its role and runtime cannot be changed. */
function acknowledgeFindings({ node }: IRole, bucket: IBucket): void {
  if (!node.scope) return;
  const copying =
    "CDK's function copies from its asset bucket, which it may read, to the website's bucket, which it may write.";
  const { partition, account, region } = Stack.of(bucket);
  const actions = ["GetBucket*", "GetObject*", "List*", "Abort*", "DeleteObject*"];
  const findings = [
    ...actions.map((action) => `AwsSolutions-IAM5[Action::s3:${action}]`),
    wildcardFinding(bucket, `arn:${partition}:s3:::cdk-hnb659fds-assets-${account}-${region}/*`),
    wildcardFinding(bucket, bucket.arnForObjects("*")),
  ];
  Validations.of(node.scope).acknowledge(
    { id: "AwsSolutions-L1", reason: "CDK chooses its function's runtime." },
    {
      id: "AwsSolutions-IAM4[Policy::arn:<AWS::Partition>:iam::aws:policy/service-role/AWSLambdaBasicExecutionRole]",
      reason: "CDK attaches this policy so that its function can write logs.",
    },
    ...findings.map((id) => ({ id, reason: copying })),
  );
}

function writeFiles(files: readonly Pick<WebsiteFile, "path" | "body">[]): string {
  const directory = temporaryDirectory("website-");
  for (const { path, body } of files) {
    const file = join(directory, path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, body);
  }
  return directory;
}
