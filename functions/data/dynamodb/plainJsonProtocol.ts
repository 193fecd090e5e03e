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

/** What every request asks. Their JSON is the SDK's own model of them, as long as no attribute is binary. */
const reads = new Set(["GetItem", "Query"]);

/**
 * DynamoDB's protocol, which writes and reads JSON without walking through the SDK's schema of each request and answer, where there
 * is nothing to convert. Errors, writes and everything else go the SDK's way, but only with an answer: the SDK takes an empty one for success.
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
    const answer = parseAnswer(String(response.body));
    if (!reads.has(operation.name)) return super.deserializeResponse(operation, context, response);
    return { ...answer, $metadata: this.deserializeMetadata(response) };
  }
}

/** @throws UnreadableAnswer, so that an answer that lost its content is asked for again, and never taken for "no such item" or "done". */
function parseAnswer(body: string) {
  try {
    const answer = JSON.parse(body);
    if (typeof answer === "object" && answer !== null) return answer;
  } catch {
    // Told below, without the body, which is somebody's data.
  }
  throw new UnreadableAnswer("DynamoDB's answer was not a JSON object.");
}

/** The name and the mark are those by which the SDK and tableError know that trying again may help. */
class UnreadableAnswer extends Error {
  override readonly name = "ServiceUnavailable";
  readonly $retryable = {};
}
