import { events } from "../../functions/resources/event.ts";
import { exampleOf } from "../../functions/resources/fields.ts";
import { localUrl } from "./address.ts";
import * as functions from "./nodeRedFunctions.ts";

const tab = "ticketing";
const subflow = "ticketing-request";

/**
 * Node-RED's flow (https://nodered.org/docs/user-guide/editor/workspace/import-export): a tab with four recipes, and a subflow that sends their
 * requests. The tab's environment has the address, the key and the webhook's secret.
 */
export function nodeRedFlow(baseUrl = localUrl) {
  return [
    {
      id: tab,
      type: "tab",
      label: "Ticketing API",
      info: "Double-click the tab, choose Environment Variables, and set API_KEY, and WEBHOOK_SECRET for webhooks.",
      env: [
        { name: "BASE_URL", value: baseUrl, type: "str" },
        { name: "API_KEY", value: "", type: "cred" },
        { name: "WEBHOOK_SECRET", value: "", type: "cred" },
      ],
    },
    ...requestNodes,
    ...orderNodes,
    ...changeNodes,
    ...webhookNodes,
    ...paymentNodes,
    ...failureNodes,
  ];
}

interface Place {
  id: string;
  name: string;
  /** In squares of the editor. */
  at: readonly [x: number, y: number];
  /** Ids of the nodes after each output. */
  to?: readonly string[][];
}

function node(type: string, { id, name, at: [x, y], to = [] }: Place, settings: object = {}, z = tab) {
  return { id, type, z, name, x: 120 + x * 190, y: 60 + y * 60, wires: to, ...settings };
}

function functionNode(place: Place, func: string, modules: readonly string[] = [], z = tab) {
  const libs = modules.map((module) => ({ var: module, module }));
  return node("function", place, { func: func.trim(), outputs: place.to?.length ?? 0, libs }, z);
}

/** Starts a recipe when its button is pressed. @param props of the message. */
const injectNode = (place: Place, props: object[], crontab = "") =>
  node("inject", place, { props, repeat: "", crontab, once: false, onceDelay: 0.1, topic: "" });

const debugNode = (place: Place) =>
  node("debug", place, { active: true, tosidebar: true, complete: "payload", targetType: "msg" });

const heading = (id: string, name: string, row: number) => node("comment", { id, name, at: [0, row] });

/** Sends a request, again if that can help. Outputs: a success; a failure. */
const request = (place: Place) => node(`subflow:${subflow}`, place);

const requestNodes = [
  {
    id: subflow,
    type: "subflow",
    name: "Ticketing request",
    info: "Sends msg.request, and repeats it after 429, 503 and lost connections. Outputs: a success, a failure.",
    in: [{ x: 40, y: 120, wires: [{ id: "request-prepare" }] }],
    out: [
      { x: 740, y: 60, wires: [{ id: "request-judge", port: 0 }] },
      { x: 740, y: 180, wires: [{ id: "request-judge", port: 2 }] },
    ],
    outputLabels: ["success", "failure"],
  },
  functionNode(
    { id: "request-prepare", name: "Prepare", at: [0.2, 1], to: [["request-send"]] },
    functions.prepareRequest,
    [],
    subflow,
  ),
  node(
    "http request",
    { id: "request-send", name: "Send", at: [1.2, 1], to: [["request-judge"]] },
    {
      method: "use",
      ret: "obj",
      paytoqs: "ignore",
      url: "",
      authType: "bearer",
      senderr: false,
      headers: [],
      // Node-RED inserts the tab's variable.
      credentials: { password: "$" + "{API_KEY}" },
    },
    subflow,
  ),
  functionNode(
    { id: "request-judge", name: "Judge the response", at: [2.2, 1], to: [[], ["request-wait"], []] },
    functions.judgeResponse,
    [],
    subflow,
  ),
  node(
    "delay",
    { id: "request-wait", name: "Wait", at: [1.2, 2], to: [["request-prepare"]] },
    // The editor calls the node invalid without the other kinds' settings.
    { pauseType: "delayv", timeout: "5", timeoutUnits: "seconds", rate: "1", randomFirst: "1", randomLast: "5" },
    subflow,
  ),
];

const orderNodes = [
  heading("orders", "All orders with their tickets", 0),
  injectNode({ id: "orders-start", name: "Read all orders", at: [0, 1], to: [["orders-request"]] }, [
    { p: "request.path", v: "/v1/orders?expand=tickets&per_page=100", vt: "str" },
  ]),
  request({ id: "orders-request", name: "", at: [1, 1], to: [["orders-collect"], []] }),
  functionNode(
    { id: "orders-collect", name: "Collect tickets", at: [2, 1], to: [["orders-result"], ["orders-request"]] },
    functions.collectOrders,
  ),
  debugNode({ id: "orders-result", name: "Orders", at: [3, 1] }),
];

const changeNodes = [
  heading("changes", "The changes each night", 3),
  injectNode({ id: "changes-start", name: "At 03:00", at: [0, 4], to: [["changes-continue"]] }, [], "00 03 * * *"),
  functionNode(
    { id: "changes-continue", name: "Continue", at: [1, 4], to: [["changes-request"]] },
    functions.continueChanges,
  ),
  request({ id: "changes-request", name: "", at: [2, 4], to: [["changes-take"], ["changes-expired"]] }),
  functionNode(
    { id: "changes-take", name: "Take the page", at: [3, 4], to: [["changes-store"], ["changes-cursor"]] },
    functions.takeChanges,
  ),
  functionNode(
    { id: "changes-store", name: "Store the changes", at: [4, 4], to: [["changes-cursor"]] },
    functions.storeChanges,
  ),
  functionNode(
    { id: "changes-cursor", name: "Store the cursor", at: [4, 5], to: [["changes-continue"]] },
    functions.storeCursor,
  ),
  node(
    "switch",
    { id: "changes-expired", name: "410?", at: [2, 6], to: [["changes-empty"]] },
    { property: "statusCode", propertyType: "msg", rules: [{ t: "eq", v: "410", vt: "num" }], outputs: 1 },
  ),
  functionNode(
    { id: "changes-empty", name: "Empty the copy", at: [3, 6], to: [["changes-forget"]] },
    functions.emptyCopy,
  ),
  functionNode(
    { id: "changes-forget", name: "Forget the cursor", at: [4, 6], to: [["changes-continue"]] },
    functions.forgetCursor,
  ),
];

const webhookNodes = [
  heading("webhook", "A webhook, verified", 8),
  node(
    "http in",
    { id: "webhook-in", name: "", at: [0, 9], to: [["webhook-verify"]] },
    { url: "/ticketing", method: "post", upload: false, skipBodyParsing: true },
  ),
  functionNode(
    { id: "webhook-verify", name: "Verify", at: [1, 9], to: [["webhook-respond"], ["webhook-result"]] },
    functions.verifyMessage,
    ["crypto"],
  ),
  node("http response", { id: "webhook-respond", name: "Respond", at: [2, 9] }, { statusCode: "", headers: {} }),
  debugNode({ id: "webhook-result", name: "Message", at: [2, 10] }),
];

const payment = { id: "transfer-4711", event_id: exampleOf(events.schema).id, amount: 1250, method: "bank transfer" };

const paymentNodes = [
  heading("payments", "A payment, recorded once", 12),
  injectNode({ id: "payments-start", name: "A payment", at: [0, 13], to: [["payments-prepare"]] }, [
    { p: "payload", v: JSON.stringify(payment), vt: "json" },
  ]),
  functionNode(
    { id: "payments-prepare", name: "Prepare", at: [1, 13], to: [["payments-request"]] },
    functions.preparePayment,
  ),
  request({ id: "payments-request", name: "", at: [2, 13], to: [["payments-result"], []] }),
  debugNode({ id: "payments-result", name: "Recorded", at: [3, 13] }),
];

const failureNodes = [
  heading("failures", "Failures of all recipes", 15),
  node("catch", { id: "failures-catch", name: "", at: [0, 16], to: [["failures-result"]] }, { scope: null }),
  node(
    "debug",
    { id: "failures-result", name: "Failure", at: [1, 16] },
    { active: true, tosidebar: true, console: true, complete: "error.message", targetType: "msg" },
  ),
];
