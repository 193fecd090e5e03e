import { createHash } from "node:crypto";
import { listChanges } from "../../functions/endpoints/listChanges.ts";
import { listOrders } from "../../functions/endpoints/listOrders.ts";
import { localUrl } from "./address.ts";

type Parameters = Record<string, unknown>;

interface Node {
  id: string;
  name: string;
  type: string;
  typeVersion: number;
  position: [number, number];
  parameters: Parameters;
}

const apiKey = { httpBearerAuth: unknownCredential("Ticketing API key") };

/**
 * A workflow for n8n (https://docs.n8n.io/workflows/export-import/) with four sections, because the editor imports one workflow at a time. n8n
 * runs what follows a node from top to bottom, so a cursor is stored below the nodes that use its page.
 */
export function n8nWorkflow(baseUrl = localUrl) {
  const parts = [orders(baseUrl), changes(baseUrl), webhook(), payments(baseUrl)];
  return {
    name: "Ticketing API",
    nodes: parts.flatMap(({ nodes }) => nodes),
    connections: Object.assign({}, ...parts.map(({ connections }) => connections)),
    settings: { executionOrder: "v1" },
    pinData: { Payments: [{ json: payment }] },
  };
}

function orders(baseUrl: string) {
  const y = 0;
  const query = { expand: "tickets", per_page: "100", cursor: "={{ $json.pagination?.next_cursor }}" };
  return {
    nodes: [
      note(y, "All orders with their tickets", "One page at a time, so that a retry repeats only one page."),
      node("Read all orders", "manualTrigger", 1, [0, y], {}),
      request("Get a page of orders", [220, y], { url: `${baseUrl}${listOrders.path}`, ...queryOf(query) }),
      splitOut("Orders", [440, y], "data"),
      condition("All tickets?", [660, y], "={{ !$json.has_more_tickets }}"),
      node("Use each order", "noOp", 1, [1320, y], {}),
      // Without the reset, it would pass on nothing of a second page.
      node("Each order of more than 100 tickets", "splitInBatches", 3, [880, y + 90], {
        options: { reset: "={{ $prevNode.name === 'All tickets?' }}" },
      }),
      request("Get the whole order", [1100, y + 180], { url: `=${baseUrl}/v1/orders/{{ $json.id }}` }),
      condition("More orders?", [440, y + 180], "={{ $json.pagination.has_more }}"),
    ],
    connections: {
      ...to("Read all orders", ["Get a page of orders"]),
      ...to("Get a page of orders", ["Orders", "More orders?"]),
      ...to("Orders", ["All tickets?"]),
      ...to("All tickets?", ["Use each order"], ["Each order of more than 100 tickets"]),
      ...to("Each order of more than 100 tickets", ["Use each order"], ["Get the whole order"]),
      ...to("Get the whole order", ["Each order of more than 100 tickets"]),
      ...to("More orders?", ["Get a page of orders"]),
    },
  };
}

const cursorCode = `// To read everything again, after 410 or after changing the types, choose another name.
const name = 'orders and tickets';
return [{ json: { name, types: 'order,ticket', cursor: $getWorkflowStaticData('global')[name] } }];`;

const storeCode = `const { name, types } = $('Stored cursor').first().json;
const { resume_cursor: cursor, has_more } = $input.first().json.pagination;
$getWorkflowStaticData('global')[name] = cursor;
return [{ json: { name, types, cursor, has_more } }];`;

function changes(baseUrl: string) {
  const y = 560;
  const query = { types: "={{ $json.types }}", per_page: "100", cursor: "={{ $json.cursor }}" };
  const text =
    "The cursor is stored after your nodes have used a page without an error. Keep its node below yours: n8n runs the upper branch first. Only runs of the published workflow store it; runs by hand read everything.";
  return {
    nodes: [
      note(y, "The changes of each night", text),
      node("Each night", "scheduleTrigger", 1.2, [0, y], {
        rule: { interval: [{ field: "days", triggerAtHour: 3 }] },
      }),
      node("Stored cursor", "code", 2, [220, y], { jsCode: cursorCode }),
      request("Get a page of changes", [440, y], { url: `${baseUrl}${listChanges.path}`, ...queryOf(query) }),
      splitOut("Changes", [660, y], "data"),
      node("Use each change", "noOp", 1, [880, y], {}),
      node("Store the cursor", "code", 2, [660, y + 180], { jsCode: storeCode }),
      condition("More changes?", [880, y + 180], "={{ $json.has_more }}"),
    ],
    connections: {
      ...to("Each night", ["Stored cursor"]),
      ...to("Stored cursor", ["Get a page of changes"]),
      ...to("Get a page of changes", ["Changes", "Store the cursor"]),
      ...to("Changes", ["Use each change"]),
      ...to("Store the cursor", ["More changes?"]),
      ...to("More changes?", ["Get a page of changes"]),
    },
  };
}

/** The content that a signature covers. */
const signedContent = "={{ $json.headers['webhook-id'] }}.{{ $json.headers['webhook-timestamp'] }}.{{ $json.text }}";

/** Compares hashes, because n8n has no comparison in constant time. */
const isGenuine = `={{ $json.headers['webhook-signature'].split(' ').map((one) => one.hash('sha256')).includes(('v1,' + $json.expected).hash('sha256')) && Math.abs($now.toSeconds() - Number($json.headers['webhook-timestamp'])) < 300 }}`;

function webhook() {
  const y = 1120;
  const text =
    "Create the webhook with the production URL of Message. The Crypto credential has its signing secret as text, which the Developer area shows once. A message says only what changed: read it, or run the changes above.";
  return {
    nodes: [
      note(y, "A webhook, verified", text),
      {
        ...node("Message", "webhook", 2, [0, y], {
          httpMethod: "POST",
          path: "ticketing",
          responseMode: "responseNode",
          options: { rawBody: true },
        }),
        webhookId: idOf("Message"),
      },
      node("Body as text", "extractFromFile", 1, [220, y], {
        operation: "text",
        destinationKey: "text",
        options: { encoding: "utf8", stripBOM: false, keepSource: "json" },
      }),
      {
        ...node("Expected signature", "crypto", 2, [440, y], {
          action: "hmac",
          type: "SHA256",
          value: signedContent,
          dataPropertyName: "expected",
          encoding: "base64",
        }),
        credentials: { crypto: unknownCredential("Ticketing API signing secret as text") },
      },
      condition("Genuine?", [660, y], isGenuine),
      respond("Accept", [880, y], 204),
      splitOut("Changes of the message", [1100, y], "body.data.changes"),
      node("Use each change of the message", "noOp", 1, [1320, y], {}),
      respond("Refuse", [880, y + 180], 400),
    ],
    connections: {
      ...to("Message", ["Body as text"]),
      ...to("Body as text", ["Expected signature"]),
      ...to("Expected signature", ["Genuine?"]),
      ...to("Genuine?", ["Accept"], ["Refuse"]),
      ...to("Accept", ["Changes of the message"]),
      ...to("Changes of the message", ["Use each change of the message"]),
    },
  };
}

const payment = { id: "INV-2210", event_id: 1053, amount: 25000, method: "bank transfer" };

function payments(baseUrl: string) {
  const y = 1680;
  const text =
    "Another workflow passes the payments on with the node Execute Sub-workflow. A run by hand records the pinned example. The Idempotency-Key is the payment's own id, so a repetition within 24 hours records nothing more.";
  const body = "={{ { type: 'payment', amount: $json.amount, method: $json.method, external_reference: $json.id } }}";
  return {
    nodes: [
      note(y, "Each payment, recorded once", text),
      // A workflow may have only one manual trigger.
      node("Payments", "executeWorkflowTrigger", 1.1, [0, y], {
        inputSource: "jsonExample",
        jsonExample: JSON.stringify(payment, null, 2),
      }),
      node("One at a time", "splitInBatches", 3, [220, y], { options: {} }),
      node("Use the recorded payments", "noOp", 1, [440, y], {}),
      request("Record a payment", [440, y + 180], {
        method: "POST",
        url: `=${baseUrl}/v1/events/{{ $json.event_id }}/balance-payments`,
        sendHeaders: true,
        headerParameters: { parameters: [{ name: "Idempotency-Key", value: "={{ $json.id }}" }] },
        sendBody: true,
        specifyBody: "json",
        jsonBody: body,
      }),
    ],
    connections: {
      ...to("Payments", ["One at a time"]),
      ...to("One at a time", ["Use the recorded payments"], ["Record a payment"]),
      ...to("Record a payment", ["One at a time"]),
    },
  };
}

function node(
  name: string,
  type: string,
  typeVersion: number,
  position: [number, number],
  parameters: Parameters,
): Node {
  return { id: idOf(name), name, type: `n8n-nodes-base.${type}`, typeVersion, position, parameters };
}

/** A request with the API key. n8n does not read `Retry-After`, and allows five tries with 5,000 ms between them. */
function request(name: string, position: [number, number], parameters: Parameters) {
  const authentication = { authentication: "genericCredentialType", genericAuthType: "httpBearerAuth" };
  return {
    ...node(name, "httpRequest", 4.2, position, { ...parameters, ...authentication, options: {} }),
    ...{ retryOnFail: true, maxTries: 5, waitBetweenTries: 5_000 },
    credentials: apiKey,
  };
}

function queryOf(query: Record<string, string>) {
  const parameters = Object.entries(query).map(([name, value]) => ({ name, value }));
  return { sendQuery: true, queryParameters: { parameters } };
}

function splitOut(name: string, position: [number, number], fieldToSplitOut: string): Node {
  return node(name, "splitOut", 1, position, { fieldToSplitOut, options: {} });
}

function condition(name: string, position: [number, number], leftValue: string): Node {
  const operator = { type: "boolean", operation: "true", singleValue: true };
  const options = { caseSensitive: true, leftValue: "", typeValidation: "strict", version: 2 };
  const conditions = {
    options,
    combinator: "and",
    conditions: [{ id: idOf(name), leftValue, rightValue: "", operator }],
  };
  return node(name, "if", 2.2, position, { conditions, options: {} });
}

function respond(name: string, position: [number, number], responseCode: number): Node {
  return node(name, "respondToWebhook", 1.1, position, { respondWith: "noData", options: { responseCode } });
}

function note(y: number, title: string, text: string): Node {
  const parameters = { content: `## ${title}\n${text}`, width: 1560, height: 500 };
  return node(title, "stickyNote", 1, [-60, y - 160], parameters);
}

/** The nodes that follow each output of a node. */
function to(name: string, ...outputs: string[][]) {
  const main = outputs.map((names) => names.map((next) => ({ node: next, type: "main", index: 0 })));
  return { [name]: { main } };
}

/** A credential without an id: as soon as one is chosen in a node, the editor uses it in all nodes that name this one. */
function unknownCredential(name: string) {
  return { id: null, name };
}

/** The same UUID for the same name. */
function idOf(name: string): string {
  const digits = createHash("sha256").update(name).digest("hex");
  return digits.replace(/^(.{8})(.{4}).(.{3}).(.{3})(.{12}).*$/, "$1-$2-4$3-8$4-$5");
}
