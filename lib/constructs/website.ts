import { Aws, Duration, Validations } from "aws-cdk-lib";
import type { RestApi } from "aws-cdk-lib/aws-apigateway";
import { Certificate } from "aws-cdk-lib/aws-certificatemanager";
import {
  AllowedMethods,
  type BehaviorOptions,
  CachePolicy,
  Distribution,
  type DistributionProps,
  Function as EdgeFunction,
  FunctionCode,
  FunctionEventType,
  FunctionRuntime,
  HeadersFrameOption,
  HeadersReferrerPolicy,
  HttpVersion,
  OriginProtocolPolicy,
  OriginRequestPolicy,
  OriginSslPolicy,
  ResponseHeadersPolicy,
  SecurityPolicyProtocol,
  ViewerProtocolPolicy,
} from "aws-cdk-lib/aws-cloudfront";
import { HttpOrigin, S3BucketOrigin } from "aws-cdk-lib/aws-cloudfront-origins";
import type { Bucket } from "aws-cdk-lib/aws-s3";
import { Construct } from "constructs";
import { developerAreaContentSecurityPolicy } from "../../web/developerArea/developerAreaContentSecurityPolicy.ts";
import { pageConfiguration, pageConfigurationPath } from "../../web/developerArea/pageConfiguration.ts";
import { referenceContentSecurityPolicy } from "../../web/reference/referenceContentSecurityPolicy.ts";
import type { WebsiteFile } from "../../web/websiteFile.ts";
import type { Settings, Stage } from "../settings.ts";
import { serviceBucket } from "./serviceBucket.ts";
import type { SignIn } from "./signIn.ts";
import { WebsiteFiles } from "./websiteFiles.ts";

/** The files of the website's pages. */
export interface WebsiteParts {
  reference: readonly WebsiteFile[];
  developerArea: readonly WebsiteFile[];
}

export interface WebsiteProps {
  gateway: RestApi;
  settings: Settings;
  parts: WebsiteParts;
  signIn: SignIn;
}

/**
 * The service's one public address. Every path goes to the API, which answers unknown ones too; only the website's own files come
 * from a private bucket.
 */
export class Website extends Construct {
  readonly baseUrl: string;
  readonly distribution: Distribution;

  constructor(scope: Construct, id: string, { gateway, settings, parts, signIn }: WebsiteProps) {
    super(scope, id);
    const bucket = serviceBucket(this, settings.stage);
    this.distribution = new Distribution(this, "Distribution", {
      comment: `${gateway.restApiName}: API, reference and Developer area`,
      httpVersion: HttpVersion.HTTP2_AND_3,
      defaultBehavior: this.apiBehavior(gateway, settings.stage),
      additionalBehaviors: {
        ...this.fileBehaviors(bucket, parts.reference, "SecurityHeaders", referenceContentSecurityPolicy),
        ...this.fileBehaviors(
          bucket,
          parts.developerArea,
          "DeveloperAreaSecurityHeaders",
          developerAreaContentSecurityPolicy(signIn.origins),
        ),
      },
      errorResponses: uncachedErrors.map((httpStatus) => ({ httpStatus, ttl: Duration.seconds(0) })),
      ...ownName(this, settings),
    });
    this.baseUrl = `https://${settings.domainName ?? this.distribution.distributionDomainName}`;
    const files = new WebsiteFiles(this, "Files", bucket, [...parts.reference, ...parts.developerArea]);
    files.addJson(pageConfigurationPath, pageConfiguration(signIn.settings));
    acknowledgeFindings(bucket, this.distribution);
  }

  /**
   * Nothing of the API is cached. Every header goes through but Host, by which the gateway knows which API is meant. The origin
   * names the stage instead of asking for it, since the stage comes after everything that knows the distribution's address.
   */
  private apiBehavior(gateway: RestApi, stage: Stage): BehaviorOptions {
    const forwardHost = new EdgeFunction(this, "ForwardHost", {
      comment: "Tells the API the host that the client asked, for the links that it answers with",
      runtime: FunctionRuntime.JS_2_0,
      code: FunctionCode.fromInline(forwardHostSource),
    });
    const gatewayDomain = `${gateway.restApiId}.execute-api.${Aws.REGION}.${Aws.URL_SUFFIX}`;
    return {
      origin: new HttpOrigin(gatewayDomain, {
        originPath: `/${stage}`,
        protocolPolicy: OriginProtocolPolicy.HTTPS_ONLY,
        originSslProtocols: [OriginSslPolicy.TLS_V1_2],
      }),
      allowedMethods: AllowedMethods.ALLOW_ALL,
      // A redirect would answer a key sent in the clear as though nothing had happened.
      viewerProtocolPolicy: ViewerProtocolPolicy.HTTPS_ONLY,
      cachePolicy: CachePolicy.CACHING_DISABLED,
      // The gateway compresses. A distribution that did would weaken the ETags.
      compress: false,
      originRequestPolicy: OriginRequestPolicy.ALL_VIEWER_EXCEPT_HOST_HEADER,
      functionAssociations: [{ function: forwardHost, eventType: FunctionEventType.VIEWER_REQUEST }],
      responseHeadersPolicy: securityHeaders(this, "ApiSecurityHeaders", apiContentSecurityPolicy),
    };
  }

  private fileBehaviors(
    bucket: Bucket,
    files: readonly WebsiteFile[],
    policyId: string,
    contentSecurityPolicy: string,
  ) {
    const behavior: BehaviorOptions = {
      origin: S3BucketOrigin.withOriginAccessControl(bucket),
      viewerProtocolPolicy: ViewerProtocolPolicy.REDIRECT_TO_HTTPS,
      cachePolicy: CachePolicy.CACHING_OPTIMIZED,
      responseHeadersPolicy: securityHeaders(this, policyId, contentSecurityPolicy),
    };
    return Object.fromEntries(pathPatterns(files).map((pattern) => [pattern, behavior]));
  }
}

/** An answer of the API is no page: whoever makes a browser show one gets it without anything to run or to load. */
const apiContentSecurityPolicy = "default-src 'none'; frame-ancestors 'none'";

/** The service's own name, where the settings give it one. */
function ownName(scope: Construct, { domainName, certificateArn }: Settings): Partial<DistributionProps> {
  if (domainName === undefined || certificateArn === undefined) return {};
  const certificate = Certificate.fromCertificateArn(scope, "Certificate", certificateArn);
  return { domainNames: [domainName], certificate, minimumProtocolVersion: SecurityPolicyProtocol.TLS_V1_2_2021 };
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

function securityHeaders(scope: Construct, id: string, contentSecurityPolicy: string): ResponseHeadersPolicy {
  const override = true;
  return new ResponseHeadersPolicy(scope, id, {
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
      reason: "Files need none, and a web ACL stands before the API itself, unless the stage is told to do without.",
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
