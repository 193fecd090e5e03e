import type * as z from "zod";
import type { Endpoint } from "../api/endpoint.ts";
import { type JsonSchema, schemaConverter } from "../api/openapi/schemas.ts";
import { getAttendee } from "../endpoints/getAttendee.ts";
import { getDate } from "../endpoints/getDate.ts";
import { getDateSummary } from "../endpoints/getDateSummary.ts";
import { getDiscount } from "../endpoints/getDiscount.ts";
import { getEvent } from "../endpoints/getEvent.ts";
import { getEventSummary } from "../endpoints/getEventSummary.ts";
import { getKey } from "../endpoints/getKey.ts";
import { getOrder } from "../endpoints/getOrder.ts";
import { getPayment } from "../endpoints/getPayment.ts";
import { getTicket } from "../endpoints/getTicket.ts";
import { listAttendees } from "../endpoints/listAttendees.ts";
import { listChanges } from "../endpoints/listChanges.ts";
import { listDateAttendees } from "../endpoints/listDateAttendees.ts";
import { listDateOrders } from "../endpoints/listDateOrders.ts";
import { listDates } from "../endpoints/listDates.ts";
import { listDateTickets } from "../endpoints/listDateTickets.ts";
import { listEventBalancePayments } from "../endpoints/listEventBalancePayments.ts";
import { listEventDates } from "../endpoints/listEventDates.ts";
import { listEventDiscounts } from "../endpoints/listEventDiscounts.ts";
import { listEventPayments } from "../endpoints/listEventPayments.ts";
import { listEvents } from "../endpoints/listEvents.ts";
import { listEventTicketCategories } from "../endpoints/listEventTicketCategories.ts";
import { listOrderAttendees } from "../endpoints/listOrderAttendees.ts";
import { listOrderPayments } from "../endpoints/listOrderPayments.ts";
import { listOrders } from "../endpoints/listOrders.ts";
import { listOrderTickets } from "../endpoints/listOrderTickets.ts";
import { listPayments } from "../endpoints/listPayments.ts";
import { listTickets } from "../endpoints/listTickets.ts";
import { excerpt } from "../log/logger.ts";
import { parseJson } from "../parseJson.ts";
import { type InvalidValue, Problem } from "../problem.ts";

/** A tool of the MCP server: one or more read operations that differ in their starting point. */
export interface Tool {
  /** All that an assistant reads about the tool. It never asks for an action, because the assistant might obey. */
  description: string;
  /** The name is the argument that selects the operation, and its value the id in the path. The empty name has the default operation. */
  operations: Readonly<Record<string, Endpoint>>;
}

const pages = "Paged: `pagination.next_cursor` is the `cursor` of the next page.";

/** Every tool by its name. A test compares them with the declared read operations. */
export const tools: Readonly<Record<string, Tool>> = {
  get_key: {
    description: "The API key in use: its name, its scopes, the organisation whose data it reads, and its rate limit.",
    operations: { "": getKey },
  },
  list_events: {
    description: `All events, most recent first. Tickets are on sale while \`ticketing_enabled\` and \`buying_enabled\` are true. ${pages}`,
    operations: { "": listEvents },
  },
  list_dates: {
    description: `Dates (performances) of all events or of one, soonest first, including those of \`private\` and \`unlisted\` events. A date is on sale if it is neither over, \`sold_out\` nor \`suspend\`ed, and its event has \`ticketing_enabled\` and \`buying_enabled\`. ${pages}`,
    operations: { "": listDates, event_id: listEventDates },
  },
  get_summary: {
    description:
      "Totals of one event or one date: orders, tickets, attendance and revenue. Totals are up to date within seconds. Takes either `event_id` or `date_id`.",
    operations: { event_id: getEventSummary, date_id: getDateSummary },
  },
  list_ticket_categories: {
    description: `The ticket categories of an event, with prices. ${pages}`,
    operations: { event_id: listEventTicketCategories },
  },
  list_discounts: {
    description: `The discounts (codes and price reductions) of an event. ${pages}`,
    operations: { event_id: listEventDiscounts },
  },
  list_balance_payments: {
    description: `Payments and refunds recorded outside the ticket shop against an event's balance, newest first. ${pages}`,
    operations: { event_id: listEventBalancePayments },
  },
  list_payments: {
    description: `Buyers' payments and refunds: all of them by \`date_completed\`, latest first, or those of one event or order, newest first. With \`order\` in \`expand\` it contains personal data. ${pages}`,
    operations: { "": listPayments, event_id: listEventPayments, order_id: listOrderPayments },
  },
  get_payment: {
    description: "One payment or refund, with what `expand` names. With `order` it contains personal data.",
    operations: { payment_id: getPayment },
  },
  list_orders: {
    description: `Orders, newest first: all of them, those of a date, or those found by \`reference\` or \`email\`. Contains buyers' personal data. ${pages}`,
    operations: { "": listOrders, date_id: listDateOrders },
  },
  get_order: {
    description:
      "One order with its tickets, and with what `expand` names. Contains the buyer's personal data. If `has_more_tickets` is true, list_tickets with `order_id` returns all tickets.",
    operations: { order_id: getOrder },
  },
  list_tickets: {
    description: `Tickets by one of: \`barcode\`, \`date_id\`, \`order_id\`. A ticket admits if its \`status\` is "valid", \`checked_in\` is false, its \`date_id\` is the date at the door, and the \`status\` of its order (in \`expand\`) is "paid". ${pages}`,
    operations: { barcode: listTickets, date_id: listDateTickets, order_id: listOrderTickets },
  },
  get_ticket: {
    description: "One ticket, with what `expand` names. With `attendee` or `order` it contains personal data.",
    operations: { ticket_id: getTicket },
  },
  list_attendees: {
    description: `Attendees by one of: \`email\`, \`date_id\`, \`order_id\`. Contains personal data. ${pages}`,
    operations: { email: listAttendees, date_id: listDateAttendees, order_id: listOrderAttendees },
  },
  get_record: {
    description:
      "One event, date, discount or attendee by its id. Takes exactly one of the ids. An attendee is personal data.",
    operations: {
      event_id: getEvent,
      date_id: getDate,
      discount_id: getDiscount,
      attendee_id: getAttendee,
    },
  },
  list_changes: {
    description: `Records of all types by the time of their latest change, oldest first; a deletion has \`change\` "deleted" and no data. \`changed_since\` selects changes since a time. Contains personal data of orders and attendees. Paged: \`pagination.next_cursor\` is the \`cursor\` of the next page, and \`resume_cursor\` that of a later call.`,
    operations: { "": listChanges },
  },
};

const schemas = new WeakMap<Tool, Record<string, JsonSchema>>();

/** The JSON schemas of a tool's arguments by their names: the path's id under the name that selects the operation, and the query. */
export function argumentsOf(tool: Tool): Record<string, JsonSchema> {
  const known = schemas.get(tool);
  if (known) return known;
  const { convert } = schemaConverter();
  const fieldsOf = Object.entries(tool.operations).map(([name, { params, query }]) => {
    const fields: Record<string, z.core.$ZodType> = { ...(params && { [name]: params.shape.id }), ...query?.shape };
    return { name, fields };
  });
  const all: Record<string, JsonSchema> = {};
  for (const [argument, field] of fieldsOf.flatMap(({ fields }) => Object.entries(fields))) {
    const { examples, format, pattern, description = "", ...schema } = convert(field);
    const isOwn = Object.hasOwn(tool.operations, argument);
    const others = fieldsOf.flatMap(({ name, fields }) => (isOwn || argument in fields ? [] : [name]));
    const limits = others.map((name) => ` Not ${name ? `with \`${name}\`` : "alone"}.`);
    // In JSON they are a list.
    const own = description.replace(", comma-separated", "");
    all[argument] = { ...schema, description: own + limits.join("") };
  }
  schemas.set(tool, all);
  return all;
}

export function describeTool(name: string, tool: Tool) {
  const names = Object.keys(tool.operations);
  const [only] = names;
  return {
    name,
    description: tool.description,
    inputSchema: {
      type: "object" as const,
      properties: argumentsOf(tool),
      ...(names.length === 1 && only && { required: [only] }),
      additionalProperties: false,
    },
    annotations: { readOnlyHint: true, openWorldHint: false },
  };
}

interface OperationCall {
  operation: Endpoint;
  pathParameters: Record<string, string>;
  queryParameters: Record<string, string[]>;
}

/** Names the arguments that a tool does not have in its result: many clients add their own to every call. */
export function ignoredArguments(tool: Tool, values: Readonly<Record<string, unknown>>): string | undefined {
  const schemas = argumentsOf(tool);
  const names = Object.keys(values).filter((name) => !Object.hasOwn(schemas, name));
  if (names.length === 0) return undefined;
  return `Ignored arguments: ${names.map(excerpt).join(", ")}.`;
}

/**
 * The operation that a tool's arguments select, with its parameters. The operation itself checks their values. Clients send null or "" for
 * missing arguments, and numbers and lists as texts.
 * @throws Problem `invalid_request` that names each badly typed or missing argument.
 */
export function operationOf(tool: Tool, given: Readonly<Record<string, unknown>>): OperationCall {
  const values: Record<string, unknown> = {};
  const errors: InvalidValue[] = [];
  for (const [name, schema] of Object.entries(argumentsOf(tool))) {
    const value = Object.hasOwn(given, name) ? valueIn(given[name], schema) : undefined;
    if (value === undefined) continue;
    values[name] = value;
    const detail = faultOf(value, schema);
    if (detail !== undefined) errors.push({ parameter: name, detail });
  }
  if (errors.length > 0) throw new Problem("invalid_request", "The tool has invalid arguments.", { errors });
  const selector = selectorOf(tool, values);
  const { [selector]: operation } = tool.operations;
  if (!operation) throw new Error(`No operation ${selector}.`);
  const { [selector]: id, ...others } = operation.params ? values : { ...values, [selector]: undefined };
  const query = operation.params ? others : values;
  return {
    operation,
    pathParameters: operation.params ? { id: String(id) } : {},
    queryParameters: Object.fromEntries(Object.entries(query).map(([name, value]) => [name, [[value].flat().join()]])),
  };
}

function selectorOf({ operations }: Tool, values: object): string {
  const names = Object.keys(operations).filter((name) => name !== "");
  const given = names.filter((name) => Object.hasOwn(values, name));
  const [selector = "", second] = given;
  if (second !== undefined) throw oneOf(given, "Give only one of");
  if (!Object.hasOwn(operations, selector)) throw oneOf(names, names.length > 1 ? "Give one of" : "Required:");
  return selector;
}

function oneOf(names: readonly string[], words: string): Problem {
  return new Problem("invalid_request", `${words} ${names.join(", ")}.`);
}

/** The value that a client means; undefined if the argument is absent. */
function valueIn(given: unknown, { type }: JsonSchema): unknown {
  if (given === null || given === "") return undefined;
  if (typeof given !== "string" || type === "string") return given;
  const { value = given } = parseJson(given);
  return type === "array" && !Array.isArray(value) ? given.split(",").map((name) => name.trim()) : value;
}

function faultOf(value: unknown, { type, items }: JsonSchema): string | undefined {
  if (type === "integer") return Number.isSafeInteger(value) ? undefined : "Must be an integer.";
  if (type === "array" && items) return isTexts(value) ? undefined : "Must be a list of names.";
  return typeof value === type ? undefined : `Must be a ${type}.`;
}

function isTexts(value: unknown): boolean {
  return Array.isArray(value) && value.every((one) => typeof one === "string");
}
