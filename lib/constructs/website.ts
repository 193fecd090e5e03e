import { Duration, RemovalPolicy, Validations } from "aws-cdk-lib";
import type { RestApi } from "aws-cdk-lib/aws-apigateway";
import {
  AllowedMethods,
  type BehaviorOptions,
  CachePolicy,
  Distribution,
  Function as EdgeFunction,
  FunctionCode,
  FunctionEventType,
  FunctionRuntime,
  HeadersFrameOption,
  HeadersReferrerPolicy,
  HttpVersion,
  OriginRequestPolicy,
  ResponseHeadersPolicy,
  ViewerProtocolPolicy,
} from "aws-cdk-lib/aws-cloudfront";
import { RestApiOrigin, S3BucketOrigin } from "aws-cdk-lib/aws-cloudfront-origins";
import { BlockPublicAccess, Bucket, BucketEncryption } from "aws-cdk-lib/aws-s3";
import { Construct } from "constructs";
import { contentSecurityPolicy, type WebsiteFile } from "../../web/reference/website.ts";
import { WebsiteFiles } from "./websiteFiles.ts";

export interface WebsiteProps {
  gateway: RestApi;
  files: readonly WebsiteFile[];
}

/**
 * The service's one public address. Every path goes to the API, which answers unknown ones too; only the website's own files come
 * from a private bucket.
 */
export class Website extends Construct {
  readonly distribution: Distribution;

  constructor(scope: Construct, id: string, { gateway, files }: WebsiteProps) {
    super(scope, id);
    const bucket = new Bucket(this, "Bucket", {
      blockPublicAccess: BlockPublicAccess.BLOCK_ALL,
      encryption: BucketEncryption.S3_MANAGED,
      enforceSSL: true,
      removalPolicy: RemovalPolicy.RETAIN,
    });
    const responseHeadersPolicy = securityHeaders(this);
    const file = { ...fileBehavior(bucket), responseHeadersPolicy };
    this.distribution = new Distribution(this, "Distribution", {
      comment: `${gateway.restApiName}: API and reference`,
      httpVersion: HttpVersion.HTTP2_AND_3,
      defaultBehavior: { ...this.apiBehavior(gateway), responseHeadersPolicy },
      additionalBehaviors: Object.fromEntries(pathPatterns(files).map((pattern) => [pattern, file])),
      errorResponses: uncachedErrors.map((httpStatus) => ({ httpStatus, ttl: Duration.seconds(0) })),
    });
    new WebsiteFiles(this, "Files", bucket, files);
    acknowledgeFindings(bucket, this.distribution);
  }

  /** Nothing of the API is cached. Every header goes through but Host, by which the gateway knows which API is meant. */
  private apiBehavior(gateway: RestApi): BehaviorOptions {
    const forwardHost = new EdgeFunction(this, "ForwardHost", {
      comment: "Tells the API the host that the client asked, for the links that it answers with",
      runtime: FunctionRuntime.JS_2_0,
      code: FunctionCode.fromInline(forwardHostSource),
    });
    return {
      origin: new RestApiOrigin(gateway),
      allowedMethods: AllowedMethods.ALLOW_ALL,
      // A redirect would answer a key sent in the clear as though nothing had happened.
      viewerProtocolPolicy: ViewerProtocolPolicy.HTTPS_ONLY,
      cachePolicy: CachePolicy.CACHING_DISABLED,
      // The gateway compresses. A distribution that did would weaken the ETags.
      compress: false,
      originRequestPolicy: OriginRequestPolicy.ALL_VIEWER_EXCEPT_HOST_HEADER,
      functionAssociations: [{ function: forwardHost, eventType: FunctionEventType.VIEWER_REQUEST }],
    };
  }
}

const forwardHostSource = `function handler(event) {
  const request = event.request;
  request.headers["x-forwarded-host"] = { value: request.headers.host.value };
  return request;
}`;

/**
 * CloudFront keeps errors for ten seconds whatever their Cache-Control and the behaviour's cache policy say
 * (https://docs.aws.amazon.com/AmazonCloudFront/latest/DeveloperGuide/custom-error-pages-expiration.html), so that one organisation's 404 would
 * answer another's request. These are the statuses for which it can be told not to.
 */
const uncachedErrors = [400, 403, 404, 405, 414, 500, 501, 502, 503, 504];

/** One pattern for all files in a directory of the root, since a distribution may have few: `/docs`, `/docs/*`, `/openapi.json`. */
function pathPatterns(files: readonly WebsiteFile[]): string[] {
  return [...new Set(files.map(({ path }) => path.replace(/^(\/[^/]+\/).+/, "$1*")))];
}

function fileBehavior(bucket: Bucket): BehaviorOptions {
  return {
    origin: S3BucketOrigin.withOriginAccessControl(bucket),
    viewerProtocolPolicy: ViewerProtocolPolicy.REDIRECT_TO_HTTPS,
    cachePolicy: CachePolicy.CACHING_OPTIMIZED,
  };
}

function securityHeaders(scope: Construct): ResponseHeadersPolicy {
  const override = true;
  return new ResponseHeadersPolicy(scope, "SecurityHeaders", {
    securityHeadersBehavior: {
      contentSecurityPolicy: { contentSecurityPolicy, override },
      contentTypeOptions: { override },
      frameOptions: { frameOption: HeadersFrameOption.DENY, override },
      referrerPolicy: { referrerPolicy: HeadersReferrerPolicy.NO_REFERRER, override },
      strictTransportSecurity: { accessControlMaxAge: Duration.days(365), override },
    },
  });
}

function acknowledgeFindings(bucket: Bucket, distribution: Distribution): void {
  Validations.of(bucket).acknowledge({
    id: "AwsSolutions-S1",
    reason: "It holds public files only, which nothing but the distribution can read.",
  });
  Validations.of(distribution).acknowledge(
    { id: "AwsSolutions-CFR1", reason: "The service is sold in every country." },
    {
      id: "AwsSolutions-CFR2",
      reason:
        "Every API request needs a key and is throttled. Whether a web ACL stands before it is the account's own decision.",
    },
    {
      id: "AwsSolutions-CFR3",
      reason:
        "Its logs would hold clients' addresses, which are personal data. The API's access log has every request to it.",
    },
    {
      id: "AwsSolutions-CFR4",
      reason: "The minimum TLS version can be chosen only together with a domain and certificate of one's own.",
    },
  );
}
