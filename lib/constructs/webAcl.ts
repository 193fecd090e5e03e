import { Aws, Duration } from "aws-cdk-lib";
import type { RestApi } from "aws-cdk-lib/aws-apigateway";
import { type IMetric, Metric } from "aws-cdk-lib/aws-cloudwatch";
import { CfnWebACL, CfnWebACLAssociation } from "aws-cdk-lib/aws-wafv2";
import { Construct } from "constructs";
import { gatewayResponses, renderGatewayResponse } from "../../functions/http/gatewayResponses.ts";

/** The span over which requests are counted, and the rates are therefore those of a minute. */
const windowSeconds = 60;

/**
 * AWS's own rules, from "AWS Managed Rules rule groups list": what is known to be an attack, by its form and by where it comes from. The rule on
 * the size of bodies only counts: it would refuse, over 8 KB, what the API refuses by itself over 10 MB, and with a better reason.
 */
const managedRules = [
  { name: "AWSManagedRulesAmazonIpReputationList", onlyCounted: [] },
  { name: "AWSManagedRulesKnownBadInputsRuleSet", onlyCounted: [] },
  { name: "AWSManagedRulesCommonRuleSet", onlyCounted: ["SizeRestrictions_BODY", "NoUserAgent_HEADER"] },
] as const;

/** How the body of "too many requests" is known within the ACL. */
const tooManyRequests = "TooManyRequests";

export interface WebAclProps {
  gateway: RestApi;
  /** Requests a minute with one Authorization header, and from one address. */
  requestsPerMinute: { key: number; address: number };
}

/** What stands before the API: it refuses known attacks, and who asks too much, before a function is started for them. */
export class WebAcl extends Construct {
  /** Requests that were refused. */
  readonly blockedRequests: IMetric;

  constructor(scope: Construct, id: string, { gateway, requestsPerMinute }: WebAclProps) {
    super(scope, id);
    const name = `${gateway.restApiName}`;
    const acl = new CfnWebACL(this, "Acl", {
      name,
      description: "Refuses known attacks, and who asks too much",
      scope: "REGIONAL",
      defaultAction: { allow: {} },
      visibilityConfig: visibility(name),
      customResponseBodies: { [tooManyRequests]: { contentType: "APPLICATION_JSON", content: throttled.body } },
      rules: [
        rateRule("RatePerKey", requestsPerMinute.key, {
          aggregateKeyType: "CUSTOM_KEYS",
          // Keys are never told by it: WAF keeps them to itself, and nothing logs what it counts.
          customKeys: [{ header: { name: "Authorization", textTransformations: [{ priority: 0, type: "NONE" }] } }],
        }),
        rateRule("RatePerAddress", requestsPerMinute.address, {
          aggregateKeyType: "FORWARDED_IP",
          // CloudFront stands between, so the address of a client is in this header; who comes without it comes from the address itself.
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

/** As the gateway answers when its own throttling refuses. The ACL answers before a request has an id. */
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

/** Sampled requests would show Authorization headers to whoever may look at the ACL. */
function visibility(metricName: string): CfnWebACL.VisibilityConfigProperty {
  return { metricName, cloudWatchMetricsEnabled: true, sampledRequestsEnabled: false };
}
