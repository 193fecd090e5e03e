import { Aws, Validations } from "aws-cdk-lib";
import type { SpecRestApi } from "aws-cdk-lib/aws-apigateway";
import type { Distribution } from "aws-cdk-lib/aws-cloudfront";
import { Metric } from "aws-cdk-lib/aws-cloudwatch";
import { Secret } from "aws-cdk-lib/aws-secretsmanager";
import { CfnWebACL, CfnWebACLAssociation } from "aws-cdk-lib/aws-wafv2";
import { Construct } from "constructs";
import { gatewayResponses, renderGatewayResponse } from "../../functions/api/gatewayResponses.ts";
import { type RateLimit, rateWindowSeconds } from "../../functions/api/rateLimit.ts";
import { sum } from "../shared/metrics.ts";
import { secretName } from "../shared/names.ts";
import { observability, serviceAlarm } from "../shared/serviceAlarm.ts";

/** The header that shows that a request came through the distribution. */
export const originSecretHeader = "X-Origin-Secret";

/** Makes a value of the header. CloudFormation passes it to the distribution and the web ACL, so the template does not contain it. */
function originSecret(scope: Construct, version: number): string {
  const suffix = version === 1 ? "" : String(version);
  const secret = new Secret(scope, `OriginSecret${suffix}`, {
    secretName: secretName(scope, `origin${suffix}`),
    description: "Sent by the distribution to the API, whose web ACL refuses requests without it",
    generateSecretString: { passwordLength: 48, excludePunctuation: true },
  });
  Validations.of(secret).acknowledge({
    id: "AwsSolutions-SMG4",
    reason: "Rotation needs a deployment, because the distribution and the web ACL must change in order.",
  });
  return secret.secretValue.unsafeUnwrap();
}

/** The header with the client's address, which the distribution sets. Every request has it, since others are refused. */
export const viewerAddressHeader = "X-Viewer-Address";

/** The header with the tag in the request's API key, or one of {@link tags}, which the distribution sets. */
export const keyTagHeader = "X-Key-Tag";
/** Values that no tag has: for requests with an ID token, and with neither a token nor a well-formed key. */
export const tags = { token: "token-", none: "none-" };

/**
 * AWS's rules against known attack patterns ("AWS Managed Rules rule groups list"). The rules on the size of bodies and queries only count: they
 * would block bodies over 8 KB and queries over 2 KB, while the API has its own limits with better errors. The list of addresses with a bad
 * reputation is not used: it only sees the address of the last proxy, which is always the distribution's.
 */
const managedRules = [
  { name: "AWSManagedRulesKnownBadInputsRuleSet", onlyCounted: [] },
  {
    name: "AWSManagedRulesCommonRuleSet",
    onlyCounted: ["SizeRestrictions_BODY", "SizeRestrictions_QUERYSTRING", "NoUserAgent_HEADER"],
  },
] as const;

const tooManyRequests = "TooManyRequests";
const notThroughDistribution = "NotThroughDistribution";

/** Requests a minute with one Authorization header, with all keys of one organisation, from one address, and with neither key nor token. */
export type RequestsPerMinute = RateLimit & Record<"address" | "withoutKey", number>;

interface WebAclProps {
  gateway: SpecRestApi;
  requestsPerMinute: RequestsPerMinute;
  /** The version of the origin's secret. The one before stays valid, because the distribution changes after the web ACL. */
  secretVersion: number;
}

/** Blocks requests that avoid the distribution, known attacks and excessive requests before they reach a function. */
export class WebAcl extends Construct {
  readonly originSecret: string;
  private readonly acl: CfnWebACL;
  private readonly association: CfnWebACLAssociation;

  constructor(scope: Construct, id: string, { gateway, requestsPerMinute, secretVersion }: WebAclProps) {
    super(scope, id);
    const name = `${gateway.restApiName}`;
    this.originSecret = originSecret(this, secretVersion);
    const earlier = secretVersion === 1 ? [] : [originSecret(this, secretVersion - 1)];
    this.acl = new CfnWebACL(this, "Acl", {
      name,
      description: "Blocks known attacks and excessive requests",
      scope: "REGIONAL",
      defaultAction: { allow: {} },
      visibilityConfig: visibility(name),
      dataProtectionConfig: { dataProtections: withoutSecrets },
      customResponseBodies: {
        [tooManyRequests]: { contentType: "APPLICATION_JSON", content: throttled.body },
        [notThroughDistribution]: { contentType: "APPLICATION_JSON", content: refused.body },
      },
      rules: [
        onlyThroughDistribution([this.originSecret, ...earlier]),
        rateRule("RatePerKey", requestsPerMinute.key, {
          aggregateKeyType: "CUSTOM_KEYS",
          // WAF does not reveal the counted keys, and nothing logs them. Spelling the scheme in another way makes no new key.
          customKeys: [{ header: { name: "Authorization", textTransformations: normalised } }],
        }),
        rateRule("RatePerOrganisation", requestsPerMinute.organisation, {
          aggregateKeyType: "CUSTOM_KEYS",
          customKeys: [{ header: { name: keyTagHeader, textTransformations: unchanged } }],
          // Tokens are counted one by one, so that nobody can use up the limit of all people.
          scopeDownStatement: { notStatement: { statement: headerIs(keyTagHeader, tags.token) } },
        }),
        rateRule("RatePerAddress", requestsPerMinute.address, {
          aggregateKeyType: "FORWARDED_IP",
          forwardedIpConfig: { headerName: viewerAddressHeader, fallbackBehavior: "MATCH" },
        }),
        rateRule("RateWithoutKey", requestsPerMinute.withoutKey, {
          // All of them together, from however many addresses. They get 401 in any case.
          aggregateKeyType: "CONSTANT",
          scopeDownStatement: headerIs(keyTagHeader, tags.none),
        }),
        ...managedRules.map(managedRule),
      ].map((rule, priority) => ({ ...rule, priority })),
    });
    this.association = new CfnWebACLAssociation(this, "OnApi", {
      resourceArn: gateway.deploymentStage.stageArn,
      webAclArn: this.acl.attrArn,
    });
    serviceAlarm(observability(this), "blocked-requests", {
      meaning: "The web ACL blocks many requests.",
      metric: new Metric({
        namespace: "AWS/WAFV2",
        metricName: "BlockedRequests",
        dimensionsMap: { WebACL: name, Region: Aws.REGION, Rule: "ALL" },
        ...sum,
      }),
      // Scanners of the whole internet cause some dozens a minute; an attack on this service causes more.
      above: 500,
    });
  }

  /**
   * Order of deployment: the web ACL accepts the new secret, then the distribution sends it, then the API requires it. No request is refused in
   * between.
   */
  surround(distribution: Distribution): void {
    distribution.node.addDependency(this.acl);
    this.association.node.addDependency(distribution);
  }
}

/** The ACL responds before a request has an id. */
const requestId = "none";
const throttled = renderGatewayResponse(gatewayResponses.THROTTLED, requestId);
const refused = renderGatewayResponse(
  { code: "forbidden", detail: "Send requests to the API's public address, not to the gateway's own." },
  requestId,
);

const normalised: CfnWebACL.TextTransformationProperty[] = [
  { priority: 0, type: "COMPRESS_WHITE_SPACE" },
  { priority: 1, type: "LOWERCASE" },
];

const unchanged: CfnWebACL.TextTransformationProperty[] = [{ priority: 0, type: "NONE" }];

type Rule = Omit<CfnWebACL.RuleProperty, "priority">;

function headerIs(name: string, searchString: string): CfnWebACL.StatementProperty {
  return {
    byteMatchStatement: {
      fieldToMatch: { singleHeader: { Name: name.toLowerCase() } },
      positionalConstraint: "EXACTLY",
      searchString,
      textTransformations: unchanged,
    },
  };
}

function onlyThroughDistribution(secrets: string[]): Rule {
  const name = "OnlyThroughDistribution";
  const matches = secrets.map((secret) => headerIs(originSecretHeader, secret));
  // WAF refuses an OR of one statement.
  const hasSecret = matches.length > 1 ? { orStatement: { statements: matches } } : { ...matches[0] };
  return {
    name,
    action: { block: blockWith(refused, notThroughDistribution) },
    statement: { notStatement: { statement: hasSecret } },
    visibilityConfig: visibility(name),
  };
}

/** The media type comes from the body's declaration, and WAF refuses it as a header. */
function blockWith({ statusCode, headers }: typeof throttled, customResponseBodyKey: string) {
  const { "Content-Type": _mediaType, ...others } = headers;
  const responseHeaders = Object.entries(others).map(([header, value]) => ({ name: header, value }));
  return { customResponse: { responseCode: statusCode, customResponseBodyKey, responseHeaders } };
}

function rateRule(name: string, limit: number, counted: Omit<CfnWebACL.RateBasedStatementProperty, "limit">): Rule {
  return {
    name,
    action: { block: blockWith(throttled, tooManyRequests) },
    statement: {
      rateBasedStatement: { limit, evaluationWindowSec: rateWindowSeconds, ...counted },
    },
    visibilityConfig: visibility(name),
  };
}

function managedRule({ name, onlyCounted }: (typeof managedRules)[number]): Rule {
  const ruleActionOverrides = onlyCounted.map((rule) => ({ name: rule, actionToUse: { count: {} } }));
  return {
    name,
    overrideAction: { none: {} },
    statement: { managedRuleGroupStatement: { vendorName: "AWS", name, ruleActionOverrides } },
    visibilityConfig: visibility(name),
  };
}

/**
 * The parts of requests that samples hide: everybody with access to the ACL can read them for three hours
 * (https://docs.aws.amazon.com/waf/latest/developerguide/data-protection-masking.html).
 */
const withoutSecrets = [
  {
    fieldType: "SINGLE_HEADER",
    fieldKeys: ["authorization", "cookie", "idempotency-key", originSecretHeader.toLowerCase()],
  },
  { fieldType: "QUERY_STRING" },
  { fieldType: "BODY" },
].map((field) => ({ field, action: "SUBSTITUTION" }));

/** Samples have the addresses of attackers, which nothing else has. */
function visibility(metricName: string): CfnWebACL.VisibilityConfigProperty {
  return { metricName, cloudWatchMetricsEnabled: true, sampledRequestsEnabled: true };
}
