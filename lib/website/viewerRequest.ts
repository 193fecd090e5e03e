import {
  Function as EdgeFunction,
  type FunctionAssociation,
  FunctionCode,
  FunctionEventType,
  FunctionRuntime,
} from "aws-cdk-lib/aws-cloudfront";
import type { Construct } from "constructs";
import {
  alphabet,
  authorizationPattern,
  checksumLength,
  keyLength,
  tagLength,
} from "../../functions/keys/apiKeySecret.ts";
import { idTokenPattern } from "../../functions/people/signInSettings.ts";
import { keyTagHeader, tags, viewerAddressHeader } from "./webAcl.ts";
import { emptyContentSecurityPolicy, redirects, securityHeaders } from "./websiteFile.ts";

export function viewerRequest(scope: Construct): FunctionAssociation[] {
  const edgeFunction = new EdgeFunction(scope, "ViewerRequest", {
    comment: "Redirects, or forwards the client's address and its key's tag, for the web ACL",
    runtime: FunctionRuntime.JS_2_0,
    code: FunctionCode.fromInline(source),
  });
  return [{ function: edgeFunction, eventType: FunctionEventType.VIEWER_REQUEST }];
}

/**
 * CloudFront documents its response headers policies only for responses from an origin or the cache, not from a function
 * (https://docs.aws.amazon.com/AmazonCloudFront/latest/DeveloperGuide/modifying-response-headers.html).
 */
const redirectHeaders = Object.entries({
  ...securityHeaders(emptyContentSecurityPolicy),
  "Strict-Transport-Security": "max-age=31536000",
}).map(([name, value]) => [name.toLowerCase(), { value }]);

/** `tagOf` returns the tag in an Authorization header's well-formed key, or undefined. CloudFront Functions have no BigInt and no modules. */
const tagOfSource = `function tagOf(authorization) {
  if (!/${authorizationPattern}/.test(authorization)) return undefined;
  const key = authorization.slice(-${keyLength});
  const body = key.slice(0, -${checksumLength});
  let crc = -1;
  for (let index = 0; index < body.length; index++) {
    crc ^= body.codePointAt(index);
    for (let bit = 0; bit < 8; bit++) crc = (crc >>> 1) ^ (crc & 1 ? 0xedb88320 : 0);
  }
  let checksum = 0;
  for (let index = body.length; index < key.length; index++) checksum = checksum * 62 + "${alphabet}".indexOf(key[index]);
  return checksum === (crc ^ -1) >>> 0 ? body.slice(-${tagLength}) : undefined;
}`;

/**
 * Replaces the headers, so that a client cannot choose their values. With syntax outside the runtime's documented list, such as destructuring,
 * a distribution deploys and then returns 503 to every request
 * (https://docs.aws.amazon.com/AmazonCloudFront/latest/DeveloperGuide/functions-javascript-runtime-20.html).
 */
const source = `const redirects = ${JSON.stringify(Object.fromEntries(redirects))};
const redirectHeaders = ${JSON.stringify(Object.fromEntries(redirectHeaders))};
function handler(event) {
  const request = event.request;
  const redirect = redirects[request.uri];
  if (redirect && (request.method === "GET" || request.method === "HEAD")) {
    const query = request.rawQueryString();
    const location = redirect.location + (query ? "?" + query : "");
    return { statusCode: redirect.status, headers: Object.assign({ location: { value: location } }, redirectHeaders) };
  }
  request.headers["${viewerAddressHeader.toLowerCase()}"] = { value: event.viewer.ip };
  const authorization = request.headers.authorization;
  // It is not known here which of several headers the gateway uses.
  const isOne = authorization && !authorization.multiValue;
  const tag = isOne ? tagOf(authorization.value) : undefined;
  const isToken = isOne && /${idTokenPattern}/.test(authorization.value);
  request.headers["${keyTagHeader.toLowerCase()}"] = { value: tag || (isToken ? "${tags.token}" : "${tags.none}") };
  return request;
}
${tagOfSource}`;
