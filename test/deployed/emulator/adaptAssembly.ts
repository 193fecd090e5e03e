import { createHash } from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Json, Template } from "../../lib/support/synthesise.ts";
import { changed, withoutGaps } from "./emulatorGaps.ts";

/**
 * Rewrites the template of a synthesised stack for the emulator, and every copy of its hash, by which the CDK uploads it.
 *
 * @param alter a further change.
 */
export function adaptAssembly(
  directory: string,
  stack: string,
  emulator: { endpoint: string; region: string; baseUrl: string },
  alter = (template: Template) => template,
): void {
  const file = `${stack}.template.json`;
  const template = JSON.parse(readFileSync(join(directory, file), "utf8"));
  const adapted = JSON.stringify(alter(changed(expandedApi(withoutGaps(template)), emulator)));
  writeFileSync(join(directory, file), adapted);
  const assets: { files: Record<string, { source: { path: string } }> } = JSON.parse(
    readFileSync(join(directory, `${stack}.assets.json`), "utf8"),
  );
  const [oldHash] = Object.entries(assets.files).find(([, { source }]) => source.path === file) ?? [];
  if (oldHash === undefined) throw new Error(`The template of ${stack} is not an asset.`);
  const hash = createHash("sha256").update(adapted).digest("hex");
  for (const name of [`${stack}.assets.json`, "manifest.json"]) {
    const text = readFileSync(join(directory, name), "utf8");
    writeFileSync(join(directory, name), text.replaceAll(oldHash, hash));
  }
}

/**
 * A template whose REST API consists of single resources instead of an OpenAPI document: the emulator imports from a document neither
 * gateway responses nor mocks.
 */
function expandedApi(template: Template): Template {
  const Resources = { ...template.Resources };
  const [apiId, api] = Object.entries(Resources).find(([, { Properties }]) => Properties?.Body) ?? [];
  if (apiId === undefined) return template;
  const { Body, ...Properties } = api.Properties;
  const RestApiId = { Ref: apiId };
  Resources[apiId] = { ...api, Properties };
  const parts: string[] = [];
  const add = (id: string, kind: string, properties: Json) => {
    Resources[id] = { Type: `AWS::ApiGateway::${kind}`, Properties: { RestApiId, ...properties } };
    parts.push(id);
    return { Ref: id };
  };
  for (const [Name, scheme] of Object.entries<Json>(Body.components.securitySchemes)) {
    add(`Authorizer${Name}`, "Authorizer", { Name, ...authorizerOf(scheme) });
  }
  for (const [ResponseType, { statusCode, responseParameters, responseTemplates }] of Object.entries<Json>(
    Body["x-amazon-apigateway-gateway-responses"],
  )) {
    add(`Response${ResponseType.replaceAll("_", "")}`, "GatewayResponse", {
      ResponseType,
      StatusCode: statusCode,
      ResponseParameters: responseParameters,
      ResponseTemplates: responseTemplates,
    });
  }
  const resources = new Map<string, Json>([["", { "Fn::GetAtt": [apiId, "RootResourceId"] }]]);
  const resourceOf = (path: string): Json => {
    const known = resources.get(path);
    if (known) return known;
    const [, parent = "", PathPart = ""] = /^(.*)\/([^/]*)$/.exec(path) ?? [];
    const ParentId = resourceOf(parent);
    const resource = add(`Path${resources.size}`, "Resource", { ParentId, PathPart });
    resources.set(path, resource);
    return resource;
  };
  for (const [index, [path, item]] of Object.entries<Json>(Body.paths).entries()) {
    const ResourceId = resourceOf(path === "/" ? "" : path);
    for (const [name, operation] of Object.entries<Json>(item)) {
      const HttpMethod = name.startsWith("x-") ? "ANY" : name.toUpperCase();
      add(`Method${index}${HttpMethod}`, "Method", { ResourceId, HttpMethod, ...methodOf(operation) });
    }
  }
  for (const resource of Object.values(Resources)) {
    if (resource.Type === "AWS::ApiGateway::Deployment")
      resource.DependsOn = [...[resource.DependsOn ?? []].flat(), ...parts];
  }
  return { ...template, Resources };
}

function authorizerOf({ in: location, name, "x-amazon-apigateway-authorizer": authorizer }: Json): Json {
  return {
    Type: authorizer.type.toUpperCase(),
    AuthorizerUri: authorizer.authorizerUri,
    AuthorizerCredentials: authorizer.authorizerCredentials,
    AuthorizerResultTtlInSeconds: authorizer.authorizerResultTtlInSeconds,
    IdentitySource: `method.request.${location}.${name}`,
    IdentityValidationExpression: authorizer.identityValidationExpression,
  };
}

function methodOf({ security, responses, "x-amazon-apigateway-integration": integration }: Json): Json {
  const [scheme] = Object.keys(security?.[0] ?? {});
  return {
    ...(scheme === undefined
      ? { AuthorizationType: "NONE" }
      : { AuthorizationType: "CUSTOM", AuthorizerId: { Ref: `Authorizer${scheme}` } }),
    Integration: {
      Type: integration.type.toUpperCase(),
      IntegrationHttpMethod: integration.httpMethod,
      Uri: integration.uri,
      Credentials: integration.credentials,
      PassthroughBehavior: integration.passthroughBehavior?.toUpperCase(),
      RequestTemplates: integration.requestTemplates,
      IntegrationResponses: Object.values<Json>(integration.responses ?? {}).map((response) => ({
        StatusCode: response.statusCode,
        ResponseParameters: response.responseParameters,
        ResponseTemplates: response.responseTemplates,
      })),
    },
    MethodResponses: Object.entries<Json>(responses).map(([StatusCode, { headers }]) => ({
      StatusCode,
      ResponseParameters: Object.fromEntries(
        Object.keys(headers).map((name) => [`method.response.header.${name}`, true]),
      ),
    })),
  };
}
