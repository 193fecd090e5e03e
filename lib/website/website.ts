import {
  developerAreaContentSecurityPolicy,
  pageConfiguration,
  pageConfigurationPath,
} from "@ticketing/developer-area";
import { referenceContentSecurityPolicy } from "@ticketing/reference";
import { Aws, Duration, Stack, Validations } from "aws-cdk-lib";
import { CfnStage, type SpecRestApi } from "aws-cdk-lib/aws-apigateway";
import { Certificate } from "aws-cdk-lib/aws-certificatemanager";
import {
  AllowedMethods,
  type BehaviorOptions,
  CachePolicy,
  Distribution,
  type DistributionProps,
  HeadersFrameOption,
  HeadersReferrerPolicy,
  HttpVersion,
  type IOrigin,
  OriginProtocolPolicy,
  OriginRequestPolicy,
  OriginSslPolicy,
  ResponseHeadersPolicy,
  S3OriginAccessControl,
  SecurityPolicyProtocol,
  ViewerProtocolPolicy,
} from "aws-cdk-lib/aws-cloudfront";
import { HttpOrigin, S3BucketOrigin } from "aws-cdk-lib/aws-cloudfront-origins";
import type { Bucket } from "aws-cdk-lib/aws-s3";
import { Construct } from "constructs";
import { type RateLimit, rateLimitHeaders } from "../../functions/api/rateLimit.ts";
import { baseUrlVariable } from "../../functions/api/response.ts";
import type { SignIn } from "../people/signIn.ts";
import type { Settings } from "../settings.ts";
import { serviceBucket } from "../shared/serviceBucket.ts";
import { withAddress } from "./address.ts";
import { viewerRequest } from "./viewerRequest.ts";
import { originSecretHeader } from "./webAcl.ts";
import { emptyContentSecurityPolicy, type WebsiteFile } from "./websiteFile.ts";
import { WebsiteFiles } from "./websiteFiles.ts";

export interface WebsiteParts {
  reference: readonly WebsiteFile[];
  developerArea: readonly WebsiteFile[];
}

interface WebsiteProps {
  gateway: SpecRestApi;
  /** Shows the API's web ACL that a request came through the distribution. */
  originSecret: string | undefined;
  /** Announced by the API's responses; undefined without a web ACL. */
  rateLimit: RateLimit | undefined;
  settings: Settings;
  parts: WebsiteParts;
  signIn: SignIn;
}

/** The service's one public address. The website's files come from a private bucket; all other paths go to the API, including unknown ones. */
export class Website extends Construct {
  readonly baseUrl: string;
  readonly distribution: Distribution;
  private readonly functionAssociations = viewerRequest(this);

  constructor(scope: Construct, id: string, props: WebsiteProps) {
    super(scope, id);
    const { gateway, settings, parts, signIn } = props;
    const bucket = serviceBucket(this, true);
    const originAccessControl = new S3OriginAccessControl(this, "Access", {
      originAccessControlName: globalName(this, "website"),
    });
    const origin = S3BucketOrigin.withOriginAccessControl(bucket, { originAccessControl });
    this.distribution = new Distribution(this, "Distribution", {
      comment: `${gateway.restApiName}: API, reference and Developer area`,
      httpVersion: HttpVersion.HTTP2_AND_3,
      defaultBehavior: this.apiBehavior(props),
      additionalBehaviors: {
        ...this.fileBehaviors(origin, parts.reference, "SecurityHeaders", referenceContentSecurityPolicy),
        ...this.fileBehaviors(
          origin,
          parts.developerArea,
          "DeveloperAreaSecurityHeaders",
          developerAreaContentSecurityPolicy(signIn.origins),
        ),
      },
      errorResponses: uncachedErrors.map((httpStatus) => ({ httpStatus, ttl: Duration.seconds(0) })),
      ...ownName(this, settings),
    });
    this.baseUrl = `https://${settings.domainName ?? this.distribution.distributionDomainName}`;
    announce(gateway, this.baseUrl);
    const isJson = ({ path }: WebsiteFile) => path.endsWith(".json");
    const fixed = parts.reference.filter((file) => !isJson(file));
    const documents = parts.reference.filter(isJson).map(({ path, body }) => {
      const document = JSON.parse(String(body));
      if ("openapi" in document) return [path, { ...document, servers: [{ url: this.baseUrl }] }] as const;
      return [path, withAddress(document, this.baseUrl)] as const;
    });
    new WebsiteFiles(this, "Files", bucket, [...fixed, ...parts.developerArea]).addJson({
      [pageConfigurationPath]: pageConfiguration(signIn.settings),
      ...Object.fromEntries(documents),
    });
    acknowledgeFindings(bucket, this.distribution);
  }

  /**
   * No API response is cached. All headers are forwarded except Host, with which the gateway identifies the API. The origin contains the
   * stage's name instead of a reference to it, which would be circular: the stage depends on everything that uses the distribution's address.
   */
  private apiBehavior({ gateway, settings, originSecret, rateLimit }: WebsiteProps): BehaviorOptions {
    const gatewayDomain = `${gateway.restApiId}.execute-api.${Aws.REGION}.${Aws.URL_SUFFIX}`;
    return {
      origin: new HttpOrigin(gatewayDomain, {
        originPath: `/${settings.stage}`,
        protocolPolicy: OriginProtocolPolicy.HTTPS_ONLY,
        originSslProtocols: [OriginSslPolicy.TLS_V1_2],
        ...(originSecret !== undefined && { customHeaders: { [originSecretHeader]: originSecret } }),
      }),
      allowedMethods: AllowedMethods.ALLOW_ALL,
      // A redirect would hide from the client that it sent its key in clear text.
      viewerProtocolPolicy: ViewerProtocolPolicy.HTTPS_ONLY,
      cachePolicy: CachePolicy.CACHING_DISABLED,
      // The gateway compresses. Compression here would weaken the ETags.
      compress: false,
      originRequestPolicy: OriginRequestPolicy.ALL_VIEWER_EXCEPT_HOST_HEADER,
      functionAssociations: this.functionAssociations,
      responseHeadersPolicy: headersPolicy(
        this,
        "ApiSecurityHeaders",
        emptyContentSecurityPolicy,
        rateLimit && rateLimitHeaders(rateLimit),
      ),
    };
  }

  private fileBehaviors(
    origin: IOrigin,
    files: readonly WebsiteFile[],
    policyId: string,
    contentSecurityPolicy: string,
  ) {
    const behavior: BehaviorOptions = {
      origin,
      viewerProtocolPolicy: ViewerProtocolPolicy.REDIRECT_TO_HTTPS,
      cachePolicy: CachePolicy.CACHING_OPTIMIZED,
      functionAssociations: this.functionAssociations,
      responseHeadersPolicy: headersPolicy(this, policyId, contentSecurityPolicy),
    };
    return Object.fromEntries(pathPatterns(files).map((pattern) => [pattern, behavior]));
  }
}

/**
 * Gives the API's functions the public address, for links, as a variable of the gateway's stage. In their environment it would be circular: the
 * address depends on the gateway, and the gateway on the functions.
 */
function announce({ deploymentStage }: SpecRestApi, baseUrl: string): void {
  const { defaultChild } = deploymentStage.node;
  if (!CfnStage.isCfnStage(defaultChild)) throw new Error("The gateway's stage has no resource of its own.");
  defaultChild.variables = { [baseUrlVariable]: baseUrl };
}

/** The service's own domain name, if the settings have one. */
function ownName(scope: Construct, { domainName, certificateArn }: Settings): Partial<DistributionProps> {
  if (domainName === undefined || certificateArn === undefined) return {};
  const certificate = Certificate.fromCertificateArn(scope, "Certificate", certificateArn);
  return { domainNames: [domainName], certificate, minimumProtocolVersion: SecurityPolicyProtocol.TLS_V1_2_2021 };
}

/** CloudFront's names belong to the whole account, so a stage in a second region needs others. */
function globalName(scope: Construct, name: string): string {
  return `${Stack.of(scope).stackName}-${Aws.REGION}-${name}`;
}

/**
 * CloudFront caches errors by default for ten seconds, ignoring Cache-Control and the cache policy
 * (https://docs.aws.amazon.com/AmazonCloudFront/latest/DeveloperGuide/custom-error-pages-expiration.html), so one organisation could get
 * another's 404. These are the statuses for which the caching can be turned off.
 */
const uncachedErrors = [400, 403, 404, 405, 414, 500, 501, 502, 503, 504];

/** One pattern per top-level directory, since a distribution may have only a few: `/docs`, `/docs/*`, `/openapi.json`. */
function pathPatterns(files: readonly WebsiteFile[]): string[] {
  return [...new Set(files.map(({ path }) => path.replace(/^(\/[^/]+\/).+/, "$1*")))];
}

function headersPolicy(
  scope: Construct,
  id: string,
  contentSecurityPolicy: string,
  others: Record<string, string> = {},
): ResponseHeadersPolicy {
  const override = true;
  const customHeaders = Object.entries(others).map(([header, value]) => ({ header, value, override }));
  return new ResponseHeadersPolicy(scope, id, {
    responseHeadersPolicyName: globalName(scope, id),
    ...(customHeaders.length > 0 && { customHeadersBehavior: { customHeaders } }),
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
    reason: "It contains only public files, and only the distribution can read it.",
  });
  Validations.of(distribution).acknowledge(
    { id: "AwsSolutions-CFR1", reason: "The service is available in every country." },
    {
      id: "AwsSolutions-CFR2",
      reason: "The files need no web ACL; the API has one unless the settings turn it off.",
    },
    {
      id: "AwsSolutions-CFR3",
      reason:
        "Its logs would contain clients' addresses, which are personal data. The API's access log has every API request.",
    },
    {
      id: "AwsSolutions-CFR4",
      reason: "The minimum TLS version can be set only with a custom domain and certificate.",
    },
  );
}
