import { AwsJson1_0Protocol } from "@aws-sdk/core/protocols";
import type {
  EndpointBearer,
  HandlerExecutionContext,
  HttpRequest,
  HttpResponse,
  MetadataBearer,
  OperationSchema,
  SerdeFunctions,
} from "@smithy/types";

/** The reads of the API's requests. Their JSON equals the SDK's input and output, as long as no attribute is binary. */
const reads = new Set(["GetItem", "Query"]);

/**
 * DynamoDB's protocol without the SDK's walk through the schema of each request and response, for operations that need no conversion.
 * The SDK still converts errors, writes and everything else. A response without a JSON object is an error; the SDK would accept it as success.
 */
export class PlainJsonProtocol extends AwsJson1_0Protocol {
  override async serializeRequest<Input extends object>(
    operation: OperationSchema,
    input: Input,
    context: HandlerExecutionContext & SerdeFunctions & EndpointBearer,
  ): Promise<HttpRequest> {
    if (!reads.has(operation.name)) return super.serializeRequest(operation, input, context);
    const request = new (this.getRequestType())({
      method: "POST",
      headers: {
        "content-type": this.getDefaultContentType(),
        "x-amz-target": `${this.serviceTarget}.${operation.name}`,
      },
      body: JSON.stringify(input),
    });
    return this.updateServiceEndpoint(request, await context.endpoint());
  }

  override async deserializeResponse<Output extends MetadataBearer>(
    operation: OperationSchema,
    context: HandlerExecutionContext & SerdeFunctions,
    response: HttpResponse,
  ): Promise<Output> {
    if (response.statusCode !== 200) return super.deserializeResponse(operation, context, response);
    const output = parseBody(String(response.body));
    if (!reads.has(operation.name)) return super.deserializeResponse(operation, context, response);
    return { ...output, $metadata: this.deserializeMetadata(response) };
  }

  /** Adds the response's `Date`, which the SDK omits. */
  override deserializeMetadata(response: HttpResponse) {
    return { ...super.deserializeMetadata(response), date: response.headers.date };
  }
}

/** @throws UnreadableResponse, so that the SDK retries, and damaged content never means "item not found" or "written". */
function parseBody(body: string) {
  try {
    const output = JSON.parse(body);
    if (typeof output === "object" && output !== null) return output;
  } catch {
    // The parser's error would quote the body, which is personal data.
  }
  throw new UnreadableResponse("DynamoDB's response was not a JSON object.");
}

/** The SDK and toTableError recognise a retryable error by this name and property. */
class UnreadableResponse extends Error {
  override readonly name = "ServiceUnavailable";
  readonly $retryable = {};
}
