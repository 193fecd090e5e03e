import assert from "node:assert/strict";
import { describe, expect, test } from "@jest/globals";
import {
  type Change,
  CursorExpiredError,
  syncChanges,
  ticketingClient,
} from "../../../packages/client-typescript/index.ts";
import { clientOf, collect } from "../../support/http/client.ts";
import {
  acceptedAt,
  eventIds,
  integratorStage,
  orderIds,
  organisationId,
  stageOrder,
} from "../../support/service/integratorStage.ts";
import { localService } from "../../support/service/testedService.ts";

const stage = await integratorStage(localService?.description ?? assert.fail());
const server = clientOf(stage.baseUrl, stage.apiKey);
const client = ticketingClient(stage);

describe("a reader that follows resume_cursor", () => {
  const copy = new Map<string, Change>();
  let cursor: string | undefined;
  const sync = async () => {
    let stored = 0;
    for await (const { changes, resumeCursor } of syncChanges(client, { cursor })) {
      for (const change of changes) copy.set(`${change.type} ${change.id}`, change);
      stored += changes.length;
      cursor = resumeCursor;
    }
    return stored;
  };

  test("gets every resource once, in the order of acceptance", async () => {
    assert.equal(await sync(), eventIds.length + orderIds.length);
    const keys = [...eventIds.map((id) => `event ${id}`), ...orderIds.map((id) => `order ${id}`)];
    assert.deepEqual([...copy.keys()], keys);
    assert.equal(await sync(), 0);
  });

  test("misses no later change and no deletion", async () => {
    await stage.put(stageOrder(3, "CHANGED"));
    await stage.remove({ type: "event", organisation_id: organisationId, id: 230, deleted: true, version: 1 });
    assert.equal(await sync(), 2);
    expect(copy.get("order 3")).toMatchObject({ change: "upserted", data: { id: 3, reference: "CHANGED" } });
    expect(copy.get("event 230")).toMatchObject({ change: "deleted", data: null });
  });
});

test("an older cursor or changed_since gets 410, and the client says how to start over", async () => {
  for (const start of [{ cursor: await stage.expiredCursor() }, { changedSince: acceptedAt(-30 * 24 * 60 * 60) }]) {
    const error = await collect(syncChanges(client, start)).catch((thrown: unknown) => thrown);
    assert.ok(error instanceof CursorExpiredError);
    assert.match(error.message, /^410 cursor_expired .* Start over without a cursor and with an empty copy\. \(req/);
  }
});

test("changed_since starts at a time, and types limit the list", async () => {
  const since = acceptedAt(eventIds.length - 30);
  const expected = (await server.rows("/v1/changes")).filter(
    ({ type, changed_at }) => type === "event" && String(changed_at) >= since,
  );
  const query = new URLSearchParams({ types: "event,ticket", changed_since: since.replace("Z", "+00:00") });
  assert.ok(expected.length > 1);
  assert.deepEqual(await server.rows(`/v1/changes?${query}`), expected);
});
