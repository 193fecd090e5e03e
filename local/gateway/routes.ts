import type { Endpoint } from "../../functions/http/endpoint.ts";

export interface Match {
  /** The path template: `/v1/events/{id}`. */
  resource: string;
  /** The endpoints of that path, by method. */
  endpoints: Endpoint[];
  pathParameters: Record<string, string> | null;
}

/**
 * The declared path that a request's path is of, or undefined. The order of declaration does not matter: a fixed segment wins. Like API
 * Gateway's REST APIs, it decodes nothing: what is percent-encoded stays so.
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
