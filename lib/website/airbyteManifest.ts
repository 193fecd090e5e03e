import * as z from "zod";
import type { Endpoint } from "../../functions/api/endpoint.ts";
import { endpoints } from "../../functions/endpoints/index.ts";
import { listChanges } from "../../functions/endpoints/listChanges.ts";
import { maximumPerPage } from "../../functions/resources/page.ts";
import { fieldTypes, fieldTypesOf, type ValueType } from "./columnTypes.ts";

/** The minor version with which the guide's test runs the manifest. */
const version = "7.39.1";
const timeFormat = "%Y-%m-%dT%H:%M:%S.%fZ";
const checkedStream = "events";

/**
 * Airbyte's declarative manifest (https://docs.airbyte.com/platform/connector-development/config-based/understanding-the-yaml-file/yaml-overview):
 * a stream of changes for each type of resource, and one for each list without a parent.
 */
export function airbyteManifest() {
  const changes = Object.entries(fieldTypes()).map(([type, fields]) => streamOfChanges(type, fields));
  return {
    version,
    type: "DeclarativeSource",
    check: { type: "CheckStream", stream_names: [checkedStream] },
    spec: { type: "Spec", connection_specification: specification },
    streams: [...changes, ...endpoints.flatMap(streamOfList)],
  };
}

const specification = {
  type: "object",
  required: ["base_url", "api_key"],
  properties: {
    base_url: { type: "string", title: "Address of the service, without /v1", examples: ["https://api.example.org"] },
    api_key: { type: "string", title: "API key", airbyte_secret: true },
  },
};

function streamOfChanges(type: string, fields: Record<string, ValueType>) {
  const query = {
    types: type,
    // The latest change of a type may be older than the oldest start that the API accepts. An empty list sends no parameter.
    changed_since: `{{ stream_interval['start_time'] if stream_interval['start_time'] > day_delta(-29, format='${timeFormat}') else [] }}`,
  };
  const text: ValueType = { type: "string" };
  return {
    ...stream(type, listChanges.path, query, { ...fields, change: text, changed_at: text, [deletedAt]: text }),
    incremental_sync: {
      type: "DatetimeBasedCursor",
      cursor_field: "changed_at",
      datetime_format: timeFormat,
      start_datetime: "1970-01-01T00:00:00.000000Z",
      // With a slow clock, the sync would otherwise send no request.
      end_datetime: `{{ day_delta(1, format='${timeFormat}') }}`,
    },
    transformations: [
      // Fields are only flattened if the row has none of their names.
      { type: "RemoveFields", field_pointers: [["type"], ["data", "id"]] },
      { type: "DpathFlattenFields", field_path: ["data"], delete_origin_value: true },
      { type: "RemoveFields", field_pointers: [["data"]] },
      {
        type: "AddFields",
        condition: "{{ record['change'] == 'deleted' }}",
        fields: [{ type: "AddedFieldDefinition", path: [deletedAt], value: "{{ record['changed_at'] }}" }],
      },
    ],
  };
}

/** Destinations delete the rows that have it. */
const deletedAt = "_ab_cdc_deleted_at";

function streamOfList({ caller, path, query, response }: Endpoint) {
  const rows = response instanceof z.ZodObject ? response.shape.data : undefined;
  const row = rows instanceof z.ZodArray ? rows.element : undefined;
  const isList = caller.scheme === "apiKey" && !path.includes("{") && query?.safeParse({}).success;
  if (!isList || !(row instanceof z.ZodObject)) return [];
  return [stream(path.replace("/v1/", ""), path, {}, fieldTypesOf(row.shape))];
}

function stream(name: string, path: string, query: Record<string, string>, fields: Record<string, ValueType>) {
  return {
    type: "DeclarativeStream",
    name,
    primary_key: ["id"],
    retriever: {
      type: "SimpleRetriever",
      requester: {
        type: "HttpRequester",
        url_base: "{{ config['base_url'] }}",
        path,
        http_method: "GET",
        authenticator: { type: "BearerAuthenticator", api_token: "{{ config['api_key'] }}" },
        request_parameters: { per_page: String(maximumPerPage), ...query },
        error_handler: errorHandler,
      },
      record_selector: { type: "RecordSelector", extractor: { type: "DpathExtractor", field_path: ["data"] } },
      paginator,
    },
    schema_loader: { type: "InlineSchemaLoader", schema: schemaOf({ type: "object", properties: fields }) },
  };
}

const errorHandler = {
  type: "DefaultErrorHandler",
  max_retries: 5,
  backoff_strategies: [
    { type: "WaitTimeFromHeader", header: "Retry-After" },
    { type: "ExponentialBackoffStrategy", factor: 1 },
  ],
  response_filters: [
    {
      type: "HttpResponseFilter",
      http_codes: [410],
      action: "FAIL",
      failure_type: "config_error",
      error_message: "Deletions may be missing after this start. Clear the stream's data and sync again.",
    },
  ],
};

const paginator = {
  type: "DefaultPaginator",
  page_token_option: { type: "RequestOption", inject_into: "request_parameter", field_name: "cursor" },
  pagination_strategy: {
    type: "CursorPagination",
    cursor_value: "{{ response['pagination']['next_cursor'] }}",
    stop_condition: "{{ not response['pagination']['has_more'] }}",
  },
};

/** Airbyte's destinations need one nullable type for every field. */
function schemaOf(value: ValueType): object {
  const type = ["null", value.type];
  if (value.type === "array") return { type, items: schemaOf(value.items) };
  if (value.type !== "object") return { type };
  const properties = Object.entries(value.properties).map(([name, member]) => [name, schemaOf(member)]);
  return { type, additionalProperties: true, properties: Object.fromEntries(properties) };
}
