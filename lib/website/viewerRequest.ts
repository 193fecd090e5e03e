import {
  Function as EdgeFunction,
  type FunctionAssociation,
  FunctionCode,
  FunctionEventType,
  FunctionRuntime,
} from "aws-cdk-lib/aws-cloudfront";
import type { Construct } from "constructs";
import { emptyContentSecurityPolicy, redirects, securityHeaders } from "../../web/website.ts";
import { viewerAddressHeader } from "./webAcl.ts";

/** The function that the distribution runs for every request. */
export function viewerRequest(scope: Construct): FunctionAssociation[] {
  const edgeFunction = new EdgeFunction(scope, "ViewerRequest", {
    comment:
      "Redirects, or forwards the client's Host header, for the links in responses, and its address, for the web ACL",
    runtime: FunctionRuntime.JS_2_0,
    code: FunctionCode.fromInline(source),
  });
  return [{ function: edgeFunction, eventType: FunctionEventType.VIEWER_REQUEST }];
}

/**
 * CloudFront documents its response headers policies only for responses from an origin or the cache, not for those of a function
 * (https://docs.aws.amazon.com/AmazonCloudFront/latest/DeveloperGuide/modifying-response-headers.html).
 */
const redirectHeaders = Object.entries({
  ...securityHeaders(emptyContentSecurityPolicy),
  "Strict-Transport-Security": "max-age=31536000",
}).map(([name, value]) => [name.toLowerCase(), { value }]);

/** Replaces both headers, so that a client cannot choose their values. */
const source = `const redirects = ${JSON.stringify(Object.fromEntries(redirects))};
const redirectHeaders = ${JSON.stringify(Object.fromEntries(redirectHeaders))};
function handler(event) {
  const request = event.request;
  const redirect = redirects[request.uri];
  if (redirect && (request.method === "GET" || request.method === "HEAD")) {
    const query = request.rawQueryString();
    const location = { value: redirect.location + (query ? "?" + query : "") };
    return { statusCode: redirect.status, headers: Object.assign({ location }, redirectHeaders) };
  }
  request.headers["x-forwarded-host"] = { value: request.headers.host.value };
  request.headers["${viewerAddressHeader.toLowerCase()}"] = { value: event.viewer.ip };
  return request;
}`;
