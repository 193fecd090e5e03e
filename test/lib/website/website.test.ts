import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { describe, test } from "@jest/globals";
import { mintApiKey, mintTag } from "../../../functions/keys/apiKeySecret.ts";
import { keyTagHeader, tags, viewerAddressHeader } from "../../../lib/website/webAcl.ts";
import { developerAreaContentSecurityPolicy } from "../../../packages/developer-area/page.ts";
import { referenceContentSecurityPolicy } from "../../../packages/reference/referenceFiles.ts";
import { type HeaderValue, runInNode } from "../../support/aws/edgeFunction.ts";
import { type Json, only, resourcesOf, synthesise } from "../support/synthesise.ts";

const { template } = await synthesise({ stage: "prod" });
const { DistributionConfig } = only(template, "AWS::CloudFront::Distribution").Properties;
const origins = new Map(DistributionConfig.Origins.map((origin: Json) => [origin.Id, origin]));
const api = DistributionConfig.DefaultCacheBehavior;
const files: Json[] = DistributionConfig.CacheBehaviors;
const functionCode: string = only(template, "AWS::CloudFront::Function").Properties.FunctionCode;

/** https://docs.aws.amazon.com/AmazonCloudFront/latest/DeveloperGuide/using-managed-cache-policies.html */
const cachingDisabled = "4135ea2d-6df8-44a3-9df3-4b5a84be39ad";
/** https://docs.aws.amazon.com/AmazonCloudFront/latest/DeveloperGuide/using-managed-origin-request-policies.html */
const allViewerExceptHostHeader = "b689b0a8-53d0-40ab-baf2-68738e2966ac";

describe("requests to the API", () => {
  test("are all requests except those for the website's files", () => {
    assert.deepEqual(
      files.map(({ PathPattern }) => PathPattern),
      ["/docs", "/docs/*", "/openapi.json", "/developer", "/developer/*"],
    );
    assert.ok(JSON.stringify(origins.get(api.TargetOriginId)).includes(".execute-api."));
    assert.equal(api.AllowedMethods.length, 7);
  });

  test("pass over HTTPS only, with every header except Host, uncompressed", () => {
    assert.equal(api.OriginRequestPolicyId, allViewerExceptHostHeader);
    // CloudFront weakens the ETags of what it compresses.
    assert.deepEqual([api.ViewerProtocolPolicy, api.Compress], ["https-only", false]);
  });

  test("never get a cached response, not even a cached error", () => {
    assert.equal(api.CachePolicyId, cachingDisabled);
    const kept = new Map(
      DistributionConfig.CustomErrorResponses.map((response: Json) => [
        response.ErrorCode,
        response.ErrorCachingMinTTL,
      ]),
    );
    // A distribution caches responses with these statuses by default.
    for (const status of [404, 414, 500, 501, 502, 503, 504]) assert.equal(kept.get(status), 0, String(status));
  });

  test("name the distribution's address to the functions, in a way that no client can change", () => {
    const { Variables } = only(template, "AWS::ApiGateway::Stage").Properties;
    const [distribution] = resourcesOf(template, "AWS::CloudFront::Distribution").map(([id]) => id);
    const domainName = { "Fn::GetAtt": [distribution, "DomainName"] };
    assert.deepEqual(Variables, { baseUrl: { "Fn::Join": ["", ["https://", domainName]] } });
  });

  test("carry the client's address, even if the client sends another", () => {
    const headers = { "x-viewer-address": { value: "198.51.100.1" } };
    const request = forwarded({ method: "GET", uri: "/v1/key", headers });
    assert.equal(viewerAddressHeader.toLowerCase(), "x-viewer-address");
    assert.equal(request.headers["x-viewer-address"].value, "203.0.113.7");
    assert.equal(request.uri, "/v1/key");
  });
});

test("carry their key's tag, or whether they have a token, whatever tag the client sends", () => {
  const tagOf = (authorization?: string) => {
    const sent: Record<string, HeaderValue> =
      authorization === undefined ? {} : { authorization: { value: authorization } };
    const headers = { host: { value: "api.example.com" }, "x-key-tag": { value: "Ab3dE" }, ...sent };
    return forwarded({ method: "GET", uri: "/v1/key", headers }).headers[keyTagHeader.toLowerCase()].value;
  };
  for (let count = 0; count < 200; count++) {
    const tag = mintTag();
    const { key } = mintApiKey(tag);
    assert.equal(tagOf(`Bearer ${key}`), tag);
    assert.equal(tagOf(`bEARER   ${key}`), tag);
    const changed = key.slice(0, -1) + (key.endsWith("A") ? "B" : "A");
    assert.equal(tagOf(`Bearer ${changed}`), tags.none);
  }
  const { key } = mintApiKey();
  for (const other of [
    undefined,
    "",
    "Bearer",
    key,
    `Basic ${key}`,
    `Bearer ${key} `,
    `Bearer ${key}${key}`,
    "Bearer tsk_",
  ])
    assert.equal(tagOf(other), tags.none, other);
  const both = { value: `Bearer ${key}`, multiValue: [{ value: `Bearer ${key}` }, { value: "Bearer x" }] };
  const twice = { host: { value: "api.example.com" }, authorization: both };
  assert.equal(forwarded({ method: "GET", uri: "/v1/key", headers: twice }).headers["x-key-tag"].value, tags.none);
  assert.equal(tagOf("Bearer eyJhbGciOiJSUzI1NiJ9.e30.c2ln"), tags.token);
  for (const name of Object.values(tags)) assert.doesNotMatch(name, /^[0-9A-Za-z]+$/);
});

/**
 * The syntax after ECMAScript 5.1 that CloudFront documents for its functions. With any other, each request gets 503
 * (https://docs.aws.amazon.com/AmazonCloudFront/latest/DeveloperGuide/functions-javascript-runtime-20.html).
 */
const documentedSyntax = [
  "arrow",
  "async-await",
  "const-and-let",
  "exponent-operator",
  "regexp-named-capture-groups",
  "rest-argument",
  "template-literal",
];

test("the distribution's function uses only syntax that CloudFront documents", () => {
  const print = (...options: string[]) =>
    execFileSync("node_modules/.bin/esbuild", ["--loader=js", ...options], {
      input: functionCode,
      encoding: "utf8",
      stdio: "pipe",
    });
  // esbuild replaces other syntax, or fails. It also prints `{ a: a }` as `{ a }` if it may.
  const supported = documentedSyntax.map((feature) => `--supported:${feature}=true`);
  assert.equal(print("--target=es5", ...supported), print("--target=esnext"));
});

/**
 * The methods that the same page lists, as far as the function needs them, and `rawQueryString`, a helper method without a module
 * (https://docs.aws.amazon.com/AmazonCloudFront/latest/DeveloperGuide/general-helper-methods.html).
 */
const documentedMethods = ["assign", "codePointAt", "indexOf", "rawQueryString", "slice", "test"];

test("the distribution's function calls only methods that CloudFront documents", () => {
  const called = [...functionCode.matchAll(/\.(\w+)\(/g)].map(([, name]) => name);
  assert.deepEqual([...new Set(called)].toSorted(), documentedMethods);
});

describe("the website's files", () => {
  test("of an earlier version are kept, because open pages still load them", () => {
    const deployments = resourcesOf(template, "Custom::CDKBucketDeployment").map(([, { Properties }]) => Properties);
    assert.ok(deployments.every(({ Prune }) => Prune === false));
  });
});

describe("the root and trailing slashes", () => {
  test("are redirected to a page, with the query and the security headers", () => {
    for (const [uri, query, status, location] of [
      ["/", undefined, 302, "/docs"],
      ["/", "", 302, "/docs"],
      ["/docs/", "a=%2F&a=?", 308, "/docs?a=%2F&a=?"],
      ["/developer/", "", 308, "/developer"],
    ] as const) {
      for (const method of ["GET", "HEAD"]) {
        const { statusCode, headers } = forwarded({ method, uri }, query);
        assert.equal(statusCode, status);
        assert.equal(headers.location.value, location);
        assert.equal(headers["content-security-policy"].value, "default-src 'none'; frame-ancestors 'none'");
        assert.equal(headers["x-frame-options"].value, "DENY");
        assert.equal(headers["strict-transport-security"].value, "max-age=31536000");
      }
      const headers = { host: { value: "api.example.com" } };
      assert.equal(forwarded({ method: "POST", uri, headers }).uri, uri);
    }
  });

  test("pass the function in every behavior of the distribution", () => {
    for (const { FunctionAssociations } of [api, ...files]) {
      assert.deepEqual(FunctionAssociations, api.FunctionAssociations);
      assert.equal(FunctionAssociations[0].EventType, "viewer-request");
    }
  });
});

describe("the security headers", () => {
  test("are on the files and all other responses", () => {
    for (const behavior of [api, ...files]) {
      const headers = securityHeadersOf(behavior);
      assert.equal(headers.FrameOptions.FrameOption, "DENY");
      assert.equal(headers.ReferrerPolicy.ReferrerPolicy, "no-referrer");
      assert.ok(headers.ContentTypeOptions.Override && headers.ContentSecurityPolicy.Override);
      assert.ok(headers.StrictTransportSecurity.AccessControlMaxAgeSec >= 31_536_000);
    }
  });

  test("announce the limits of the web ACL only on the API's responses, and not without one", async () => {
    const headersOf = ({ Resources }: Json, { ResponseHeadersPolicyId }: Json) =>
      Resources[ResponseHeadersPolicyId.Ref].Properties.ResponseHeadersPolicyConfig.CustomHeadersConfig?.Items;
    const limited = await synthesise({ stage: "prod", requestsPerMinutePerKey: "1200" });
    const { DistributionConfig } = only(limited.template, "AWS::CloudFront::Distribution").Properties;
    assert.deepEqual(headersOf(limited.template, DistributionConfig.DefaultCacheBehavior), [
      { Header: "RateLimit-Policy", Value: '"key";q=1200;w=60, "organisation";q=15000;w=60', Override: true },
    ]);
    for (const behavior of files) assert.equal(headersOf(template, behavior), undefined);
    const dev = await synthesise({ stage: "dev" });
    const unlimited = only(dev.template, "AWS::CloudFront::Distribution").Properties.DistributionConfig;
    assert.equal(headersOf(dev.template, unlimited.DefaultCacheBehavior), undefined);
    assert.ok(!JSON.stringify(dev.template).includes("RATE_LIMIT"));
  });

  test("have each page's content security policy, and for the API's responses one that allows nothing", () => {
    const policyOf = (pattern?: string) => {
      const behavior = pattern ? files.find(({ PathPattern }) => PathPattern === pattern) : api;
      return securityHeadersOf(behavior).ContentSecurityPolicy.ContentSecurityPolicy;
    };
    assert.match(policyOf(), /^default-src 'none'; frame-ancestors 'none'$/);
    for (const pattern of ["/docs", "/docs/*", "/openapi.json"]) {
      assert.equal(policyOf(pattern), referenceContentSecurityPolicy);
    }
    const [domain] = resourcesOf(template, "AWS::Cognito::UserPoolDomain")[0] ?? [];
    const origins = [
      `https://cognito-idp.\${AWS::Region}.\${AWS::URLSuffix}`,
      `https://\${${domain}}.auth.\${AWS::Region}.amazoncognito.com`,
    ];
    for (const pattern of ["/developer", "/developer/*"]) {
      assert.equal(textOf(policyOf(pattern)), developerAreaContentSecurityPolicy(origins));
    }
  });
});

/** The result of the distribution's function for a request. */
function forwarded(
  request: { method: string; uri: string; headers?: Record<string, HeaderValue> },
  query?: string,
): Json {
  const event = {
    viewer: { ip: "203.0.113.7" },
    request: { headers: {}, querystring: {}, cookies: {}, ...request },
    query,
  };
  return runInNode(functionCode, [event])[0];
}

function securityHeadersOf({ ResponseHeadersPolicyId }: Json): Json {
  const { Properties } = template.Resources[ResponseHeadersPolicyId.Ref];
  return Properties.ResponseHeadersPolicyConfig.SecurityHeadersConfig;
}

/** A text with references in Fn::Sub's form. */
function textOf(value: Json): string {
  if (typeof value === "string") return value;
  if (value.Ref) return `\${${value.Ref}}`;
  return value["Fn::Join"][1].map(textOf).join("");
}
