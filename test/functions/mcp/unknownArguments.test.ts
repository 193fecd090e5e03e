import assert from "node:assert/strict";
import { test } from "@jest/globals";
import { isFilter } from "../../../functions/mcp/unknownArguments.ts";

test("a name with a word of a field, a parameter or a usual filter looks like a filter", () => {
  const filters =
    "email buyer_email buyerEmail Emails status order-status name customer date eventDate id customer_id since";
  const others = "created_after limit page query q search from until sort_by seat event price types currency PHONE";
  for (const name of [...filters.split(" "), ...others.split(" ")]) assert.ok(isFilter(name), name);
});

test("the arguments that frameworks and models add to every call do not look like filters", () => {
  const added =
    "reason reasoning sessionId session_id toolCallId tool_call_id _sessionID _meta __proto__ requestId runId trace_id";
  const others =
    "thread_id conversationId explanation thought chatInput action confirm context tsk_1 security_risk messageId";
  for (const name of [...added.split(" "), ...others.split(" ")]) assert.ok(!isFilter(name), name);
});
