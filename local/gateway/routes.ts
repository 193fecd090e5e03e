import type { Endpoint } from "../../functions/api/endpoint.ts";

export interface Match {
  /** The path template: `/v1/events/{id}`. */
  resource: string;
  /** The endpoints of that path, by method. */
  endpoints: Endpoint[];
  pathParameters: Record<string, string> | null;
}

/**
 * Finds the declared path that matches a request's path. The order of declaration does not matter: fixed segments win over
 * parameters. Like API Gateway's REST APIs, it does not percent-decode.
 */
export function matchPath(endpoints: readonly Endpoint[], path: string): Match | undefined {
  const segments = path.split("/");
  const matches = [...new Set(endpoints.map((endpoint) => endpoint.path))]
    .flatMap((resource) => matchTemplate(resource, segments) ?? [])
    .sort((one, other) => Object.keys(one.parameters).length - Object.keys(other.parameters).length);
  const [best] = matches;
  return (
    best && {
      resource: best.resource,
      endpoints: endpoints.filter((endpoint) => endpoint.path === best.resource),
      pathParameters: Object.keys(best.parameters).length > 0 ? best.parameters : null,
    }
  );
}

function matchTemplate(resource: string, segments: string[]) {
  const templates = resource.split("/");
  const parameters: Record<string, string> = {};
  if (templates.length !== segments.length) return undefined;
  for (const [index, template] of templates.entries()) {
    const segment = segments[index] ?? "";
    const name = /^\{(.+)\}$/.exec(template)?.[1];
    if (name !== undefined && segment !== "") parameters[name] = segment;
    else if (template !== segment) return undefined;
  }
  return { resource, parameters };
}
