import { Aws, Duration } from "aws-cdk-lib";
import type { SpecRestApi } from "aws-cdk-lib/aws-apigateway";
import { type IMetric, Metric } from "aws-cdk-lib/aws-cloudwatch";
import { CfnWebACL, CfnWebACLAssociation } from "aws-cdk-lib/aws-wafv2";
import { Construct } from "constructs";
import { gatewayResponses, renderGatewayResponse } from "../../functions/http/gatewayResponses.ts";

/** Rates are counted over this window, so they are per minute. */
const windowSeconds = 60;

/**
 * AWS's rules against known attack patterns and sources ("AWS Managed Rules rule groups list"). The rule on body size only counts: it would
 * block bodies over 8 KB, while the API has its own limit of 10 MB with a better error.
 */
const managedRules = [
  { name: "AWSManagedRulesAmazonIpReputationList", onlyCounted: [] },
  { name: "AWSManagedRulesKnownBadInputsRuleSet", onlyCounted: [] },
  { name: "AWSManagedRulesCommonRuleSet", onlyCounted: ["SizeRestrictions_BODY", "NoUserAgent_HEADER"] },
] as const;

/** The id of the response body within the ACL. */
const tooManyRequests = "TooManyRequests";

export interface WebAclProps {
  gateway: SpecRestApi;
  /** Requests a minute with one Authorization header, and from one address. */
  requestsPerMinute: { key: number; address: number };
}

/** Blocks known attacks and excessive requests before they reach a function. */
export class WebAcl extends Construct {
  readonly blockedRequests: IMetric;

  constructor(scope: Construct, id: string, { gateway, requestsPerMinute }: WebAclProps) {
    super(scope, id);
    const name = `${gateway.restApiName}`;
    const acl = new CfnWebACL(this, "Acl", {
      name,
      description: "Blocks known attacks and excessive requests",
      scope: "REGIONAL",
      defaultAction: { allow: {} },
      visibilityConfig: visibility(name),
      customResponseBodies: { [tooManyRequests]: { contentType: "APPLICATION_JSON", content: throttled.body } },
      rules: [
        rateRule("RatePerKey", requestsPerMinute.key, {
          aggregateKeyType: "CUSTOM_KEYS",
          // WAF does not reveal the counted keys, and nothing logs them.
          customKeys: [{ header: { name: "Authorization", textTransformations: [{ priority: 0, type: "NONE" }] } }],
        }),
        rateRule("RatePerAddress", requestsPerMinute.address, {
          aggregateKeyType: "FORWARDED_IP",
          // CloudFront puts the client's address into this header. Requests without the header are not counted.
          forwardedIpConfig: { headerName: "X-Forwarded-For", fallbackBehavior: "NO_MATCH" },
        }),
        ...managedRules.map(managedRule),
      ].map((rule, priority) => ({ ...rule, priority })),
    });
    new CfnWebACLAssociation(this, "OnApi", {
      resourceArn: gateway.deploymentStage.stageArn,
      webAclArn: acl.attrArn,
    });
    this.blockedRequests = new Metric({
      namespace: "AWS/WAFV2",
      metricName: "BlockedRequests",
      dimensionsMap: { WebACL: name, Region: Aws.REGION, Rule: "ALL" },
      statistic: "Sum",
      period: Duration.minutes(1),
    });
  }
}

/** The gateway's own throttling response. The ACL responds before a request has an id. */
const throttled = renderGatewayResponse(gatewayResponses.THROTTLED, "none");

type Rule = Omit<CfnWebACL.RuleProperty, "priority">;

function rateRule(name: string, limit: number, counted: Partial<CfnWebACL.RateBasedStatementProperty>): Rule {
  const { "Content-Type": _mediaType, ...headers } = throttled.headers;
  const response = {
    responseCode: throttled.statusCode,
    customResponseBodyKey: tooManyRequests,
    responseHeaders: Object.entries(headers).map(([header, value]) => ({ name: header, value })),
  };
  return {
    name,
    action: { block: { customResponse: response } },
    statement: {
      rateBasedStatement: { limit, evaluationWindowSec: windowSeconds, aggregateKeyType: "IP", ...counted },
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

/** Sampled requests would show Authorization headers to everyone with access to the ACL. */
function visibility(metricName: string): CfnWebACL.VisibilityConfigProperty {
  return { metricName, cloudWatchMetricsEnabled: true, sampledRequestsEnabled: false };
}
