import type { Operation } from "../../functions/api/openapi/document.ts";
import { localUrl } from "./address.ts";
import { apiKeyDocument } from "./openApi.ts";

/**
 * A collection in Postman's format 2.1 (https://schema.postman.com/collection/json/v2.1.0/draft-07/docs/index.html) with a request for each
 * operation of the document, and a test of its status. Parameters that are not required are there, but not sent. Writes are in a folder of
 * their own, so that a run of another folder changes nothing.
 */
export function postmanCollection(baseUrl = localUrl) {
  const { info, tags, paths } = apiKeyDocument();
  const requests = Object.entries(paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, operation]) => requestOf(path, method.toUpperCase(), operation)),
  );
  const reads = requests.filter(({ method }) => method === "GET");
  const readFolders = tags.map(({ name, description }) => ({
    name,
    description,
    item: reads.filter(({ tag }) => tag === name).map(({ item }) => item),
  }));
  const writes = {
    name: "Writes",
    description: "These requests change data. A balance payment cannot be deleted.",
    item: requests.filter(({ method }) => method !== "GET").map(({ item }) => item),
  };
  const ids = requests.flatMap(({ variables }) => variables);
  return {
    info: {
      name: info.title,
      description: "Set the variable `apiKey`, and the ids to your own; those here are of the demo data.",
      schema: "https://schema.getpostman.com/json/collection/v2.1.0/collection.json",
    },
    auth: { type: "bearer", bearer: [{ key: "token", value: "{{apiKey}}", type: "string" }] },
    variable: [
      { key: "baseUrl", value: baseUrl },
      { key: "apiKey", value: "" },
      ...new Map(ids.map((variable) => [variable.key, variable])).values(),
    ],
    item: [...readFolders.filter(({ item }) => item.length > 0), writes],
  };
}

function requestOf(path: string, method: string, operation: Operation) {
  const { summary, description, parameters, requestBody, responses } = operation;
  const [, , resource = ""] = path.split("/");
  const variable = `${resource.replace(/s$/, "")}_id`;
  const location = path.replace("{id}", `{{${variable}}}`);
  const query = parameters.filter((parameter) => parameter.in === "query").map(sent);
  // Clients encode the values.
  const needed = query.filter(({ disabled }) => !disabled).map(({ key, value }) => `${key}=${value}`);
  const body = requestBody?.content["application/json"].example;
  const request = {
    method,
    description,
    header: [
      ...(body === undefined ? [] : [{ key: "Content-Type", value: "application/json" }]),
      ...parameters.filter((parameter) => parameter.in === "header").map(sent),
    ],
    url: {
      raw: `{{baseUrl}}${[location, ...(needed.length > 0 ? [needed.join("&")] : [])].join("?")}`,
      host: ["{{baseUrl}}"],
      path: location.split("/").slice(1),
      query,
    },
    ...(body !== undefined && {
      body: { mode: "raw", raw: JSON.stringify(body, null, 2), options: { raw: { language: "json" } } },
    }),
  };
  return {
    method,
    tag: operation.tags[0],
    variables: parameters.flatMap((parameter) =>
      parameter.in === "path" ? [{ key: variable, value: String(parameter.example) }] : [],
    ),
    item: { name: summary, event: [testOf(successOf(responses))], request, response: [] },
  };
}

function sent({ name, required, description = "", example = "" }: Operation["parameters"][number]) {
  return { key: name, value: String(example), description, ...(!required && { disabled: true }) };
}

function successOf(responses: Operation["responses"]): string {
  return Object.keys(responses).find((status) => status.startsWith("2")) ?? "200";
}

function testOf(status: string) {
  const exec = [`pm.test("The status is ${status}", () => pm.response.to.have.status(${status}));`];
  return { listen: "test", script: { type: "text/javascript", exec } };
}
