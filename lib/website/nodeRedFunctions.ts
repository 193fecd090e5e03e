/* The bodies of the Function nodes in Node-RED's flow, in JavaScript that Node-RED 5.0 runs. */

/** Prepares the request in `msg.request`: `path`, and for writes `method`, `body` and `idempotencyKey`. */
export const prepareRequest = `
const { path, method = "GET", body, idempotencyKey } = msg.request;
msg.url = env.get("BASE_URL").replace(/\\/+$/, "") + path;
msg.method = method;
msg.payload = body;
// A new object: with a header added to those of the last response, the HTTP request node would send them all.
msg.headers = idempotencyKey === undefined ? {} : { "Idempotency-Key": idempotencyKey };
msg.requestTimeout = 30000;
msg.tries = (msg.tries || 0) + 1;
return msg;
`;

/** Outputs: a success; a request to repeat after `msg.delay`; a failure, which Catch nodes get, too. */
export const judgeResponse = `
const { request, statusCode, tries } = msg;
if (statusCode >= 200 && statusCode < 300 && typeof msg.payload === "object") {
    delete msg.tries;
    return [msg, null, null];
}
// A lost connection has a text such as ECONNRESET as its status code. A write may have succeeded, unless the response is 429.
const isRepeatable = msg.method === "GET" || request.idempotencyKey !== undefined;
const isPassing = statusCode === 429 || (isRepeatable && !(statusCode >= 400 && statusCode < 500));
if (isPassing && tries < 6) {
    const seconds = Number(msg.headers["retry-after"]) || tries;
    msg.delay = 1000 * (seconds + Math.random());
    return [null, msg, null];
}
delete msg.tries;
node.error(request.path + ": " + statusCode + " " + (msg.payload.detail || msg.payload), msg);
return [null, null, msg];
`;

/** Outputs: a page of complete orders; the next request. */
export const collectOrders = `
const { data, pagination } = msg.payload;
const next = (path, cursor) => {
    msg.request = { path: cursor ? path + "&cursor=" + encodeURIComponent(cursor) : path };
    return msg;
};
const ticketsOf = ({ id }) => "/v1/orders/" + id + "/tickets?per_page=1000";

if (msg.order) {
    msg.order.tickets.push(...data);
    if (pagination.has_more) return [null, next(ticketsOf(msg.order), pagination.next_cursor)];
    delete msg.order.has_more_tickets;
    msg.orders.push(msg.order);
} else {
    msg.nextOrders = pagination.next_cursor;
    msg.orders = data.filter((order) => !order.has_more_tickets);
    msg.large = data.filter((order) => order.has_more_tickets);
}
// An order with more than 100 tickets lacks some of them: read them all.
msg.order = msg.large.pop();
if (msg.order) {
    msg.order.tickets = [];
    return [null, next(ticketsOf(msg.order))];
}
const page = { payload: msg.orders, complete: msg.nextOrders === null };
return [page, page.complete ? null : next("/v1/orders?expand=tickets&per_page=100", msg.nextOrders)];
`;

export const continueChanges = `
const cursor = flow.get("cursor");
msg.request = { path: "/v1/changes?per_page=1000" + (cursor ? "&cursor=" + encodeURIComponent(cursor) : "") };
return msg;
`;

/** Outputs: a page of changes; a page without changes. */
export const takeChanges = `
const { data, pagination } = msg.payload;
msg.cursor = pagination.resume_cursor;
msg.hasMore = pagination.has_more;
msg.payload = data;
return data.length > 0 ? [msg, null] : [null, msg];
`;

export const storeChanges = `
// Replace this node. Store each change in msg.payload by its type and id, and remove it if its change is "deleted".
// Pass the same message on. After an error, the cursor stays, and the next run repeats this page.
node.status({ text: msg.payload.length + " changes" });
return msg;
`;

/** Returns the message only if there are more pages. */
export const storeCursor = `
if (msg.cursor === undefined) throw new Error("Pass on the message with the changes and its cursor.");
flow.set("cursor", msg.cursor);
return msg.hasMore ? msg : null;
`;

export const emptyCopy = `
// Replace this node. The cursor was more than 30 days old, so deletions may be missing: empty your copy.
return msg;
`;

export const forgetCursor = `
flow.set("cursor", undefined);
return msg;
`;

/** Outputs: the response; a genuine message. The Function node's set-up has \`crypto\`. */
export const verifyMessage = `
const { headers } = msg.req;
const key = Buffer.from((env.get("WEBHOOK_SECRET") || "").replace("whsec_", ""), "base64");
const expected = crypto.createHmac("sha256", key)
    .update(headers["webhook-id"] + "." + headers["webhook-timestamp"] + ".")
    .update(msg.payload)
    .digest();
const isRight = (signature) => {
    const given = Buffer.from(signature.replace("v1,", ""), "base64");
    return given.length === expected.length && crypto.timingSafeEqual(given, expected);
};
const isFresh = Math.abs(Date.now() / 1000 - Number(headers["webhook-timestamp"])) < 300;
const isGenuine = key.length > 0 && isFresh && String(headers["webhook-signature"]).split(" ").some(isRight);

const response = { req: msg.req, res: msg.res, statusCode: isGenuine ? 204 : 400, payload: "" };
return [response, isGenuine ? { payload: JSON.parse(msg.payload) } : null];
`;

export const preparePayment = `
const { id, event_id, amount, method } = msg.payload;
msg.request = {
    method: "POST",
    path: "/v1/events/" + event_id + "/balance-payments",
    body: { type: "payment", amount, method, external_reference: id },
    // The payment's own id, so that the same payment is recorded once.
    idempotencyKey: id,
};
return msg;
`;
