import type { Endpoint } from "../api/endpoint.ts";
import type { RequestFacts } from "../api/requestContext.ts";
import { Problem } from "../problem.ts";
import { maximumNoteLength, orders } from "../resources/order.ts";

/** At most 25,000 tokens at two bytes a token, which is close to JSON with ids and times. */
export const maximumResultBytes = 50_000;

type Request = Parameters<Endpoint["answer"]>[0];

/**
 * Calls a read operation and keeps what the assistant gets of its response small enough: shortens long texts; then asks for fewer rows, and the cursor leads to
 * the rest; then shortens the lists in a row, and the row's `has_more_…` reports that.
 * @param shorten makes the assistant's form of a response.
 * @throws Problem `invalid_request` if even that is too large.
 */
export async function callOperation(
  operation: Endpoint,
  request: Request,
  facts: RequestFacts,
  shorten = (body: object) => body,
): Promise<object> {
  const answer = async (asked: Request) => {
    const { body } = await operation.answer(asked, facts);
    // Every response of a read operation is a JSON object.
    const form = shorten(body as object);
    return sizeOf(form) > maximumResultBytes ? withShortTexts(form) : form;
  };
  let body = await answer(request);
  while (sizeOf(body) > maximumResultBytes && rowsIn(body).length > 1) {
    const fitting = Math.floor((0.9 * rowsIn(body).length * maximumResultBytes) / sizeOf(body));
    const per_page = [String(Math.max(1, fitting))];
    body = await answer({ ...request, queryParameters: { ...request.queryParameters, per_page } });
  }
  while (sizeOf(body) > maximumResultBytes) {
    const [row] = rowsIn(body);
    const shorter = row && withHalfOfLongestList(row);
    if (!shorter) throw tooLarge(operation);
    body = "data" in body ? { ...body, data: [shorter] } : shorter;
  }
  return body;
}

type Row = Record<string, unknown>;

/** A single description with embedded images would otherwise shorten every list that contains it. */
function withShortTexts(body: object): object {
  const short = (_name: string, value: unknown) =>
    typeof value === "string" && value.length > maximumNoteLength
      ? `${value.slice(0, maximumNoteLength).toWellFormed()}… [cut]`
      : value;
  return JSON.parse(JSON.stringify(body, short));
}

function sizeOf(body: object): number {
  return Buffer.byteLength(JSON.stringify(body));
}

/** The rows of a page, or the one resource. */
function rowsIn(body: object): Row[] {
  const { data } = body as { data?: unknown };
  return Array.isArray(data) ? data : [body as Row];
}

/** Halves the longest list that another operation returns in full; undefined if there is none. */
function withHalfOfLongestList(row: Row): Row | undefined {
  const lists = Object.entries(row).flatMap(([name, value]) =>
    Array.isArray(value) && value.length > 1 && cuttable.has(name) ? [{ name, value }] : [],
  );
  const [longest] = lists.sort((a, b) => b.value.length - a.value.length);
  if (!longest) return undefined;
  const first = longest.value.slice(0, Math.ceil(longest.value.length / 2));
  return { ...row, [longest.name]: first, [`has_more_${longest.name}`]: true };
}

/** The lists of an order or a summary, which have a `has_more_…` of their own. */
const cuttable = new Set([
  ...Object.entries(orders.expand ?? {}).flatMap(([name, expansion]) => ("children" in expansion ? [name] : [])),
  "ticket_categories",
  "other_currencies",
]);

function tooLarge({ method, path }: Endpoint): Problem {
  const detail = `The result is too large for an assistant: more than ${maximumResultBytes / 1000} KB. ${method} ${path} returns it to programs.`;
  return new Problem("invalid_request", detail);
}
