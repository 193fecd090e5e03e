import type { openApiDocument } from "./document.ts";
import { ProblemBody } from "./errors.ts";

type Document = ReturnType<typeof openApiDocument>;
type Operation = Document["paths"][string][string];

interface Response {
  description: string;
  headers: Record<string, object>;
  /** Keys are media types. */
  content?: Record<string, { example?: unknown }>;
}

/** Moves headers, parameters and responses, most of the document's bytes, into components. If parts with one name differ, only the first moves. */
export function withSharedParts({ paths, components, ...document }: Document) {
  const headers = new Components("headers");
  const parameters = new Components("parameters");
  const responses = new Components("responses");
  const shareIn = (operation: Operation) => ({
    ...operation,
    // Generators name an enum's type after a shared parameter, so lists of different names would get the same type.
    parameters: operation.parameters.map((one) =>
      one.schema.type === "array" ? one : parameters.share(parameterName(one), one),
    ),
    responses: mapValues<Response, object>(operation.responses, (response, status) => {
      const name = responseName(operation, status, response);
      const shared = {
        ...response,
        headers: mapValues(response.headers, (header, title) => headers.share(title, header)),
      };
      return name === undefined ? shared : responses.share(name, shared);
    }),
  });
  return {
    ...document,
    paths: mapValues(paths, (item) => mapValues(item, shareIn)),
    components: {
      ...components,
      schemas: neededSchemas(components.schemas, paths),
      headers: headers.byName,
      parameters: parameters.byName,
      responses: responses.byName,
    },
  };
}

/** The schemas that operations need. Webhook messages inline theirs, and only our own clients need them by name. */
function neededSchemas(schemas: Record<string, object>, user: object): Record<string, object> {
  const needed = new Set<string>();
  const visit = (value: object): void => {
    for (const [, id = ""] of JSON.stringify(value).matchAll(/"#\/components\/schemas\/([^"]+)"/g)) {
      const schema = schemas[id];
      if (schema === undefined || needed.has(id)) continue;
      needed.add(id);
      visit(schema);
    }
  };
  visit(user);
  return Object.fromEntries(Object.entries(schemas).filter(([id]) => needed.has(id)));
}

class Components {
  readonly byName: Record<string, object> = {};
  private readonly kind: string;

  constructor(kind: string) {
    this.kind = kind;
  }

  /** @returns a reference to the part; the part itself if another has its name. */
  share(name: string, part: object): object {
    this.byName[name] ??= part;
    const isSame = JSON.stringify(this.byName[name]) === JSON.stringify(part);
    return isSame ? { $ref: `#/components/${this.kind}/${name}` } : part;
  }
}

/** `IdOfEvent` for a parameter of the path; otherwise its own name: `PerPage`. */
function parameterName({ in: location, name, description = "" }: Operation["parameters"][number]): string {
  return pascal(location === "path" ? description.replace("the ", "") : name);
}

/** `EventNotFound`, `AdminUnauthorized`: distinguishes it from others with its status. Undefined for a success, which differs in each operation. */
function responseName({ security, requestBody, parameters }: Operation, status: string, { content }: Response) {
  if (status.startsWith("2")) return undefined;
  const audience = security.some((scheme) => "SuperAdminAuth" in scheme) ? "Admin" : "";
  const isPaged = parameters.some(({ name }) => name === "cursor");
  if (status === "304") return `${audience}${isPaged ? "Page" : ""}NotModified`;
  const { code, detail } = ProblemBody.parse(Object.values(content ?? {})[0]?.example);
  const kind = requestBody ? "Body" : isPaged ? "Page" : "";
  const subject = code === "not_found" ? detail.replace("No such ", "") : code === "invalid_request" ? kind : "";
  return audience + pascal(`${subject} ${code}`);
}

/** `per_page`, `If-Match` → `PerPage`, `IfMatch` */
function pascal(text: string): string {
  return text.replaceAll(/(?:^|[^A-Za-z]+)([A-Za-z]|$)/g, (_, letter: string) => letter.toUpperCase());
}

function mapValues<Value, Mapped>(values: Record<string, Value>, map: (value: Value, name: string) => Mapped) {
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [name, map(value, name)] as const));
}
