import assert from "node:assert/strict";
import { test } from "@jest/globals";
import { one } from "../support/service/testedService.ts";

test("each date comes with its event, in a list, by its id and in its event's list", async () => {
  const dates = await one.rows("/v1/dates?expand=event");
  assert.ok(dates.length > 1);
  for (const date of dates) {
    assert.deepEqual(date.event, await one.json(`/v1/events/${date.event_id}`));
    assert.deepEqual(await one.json(`/v1/dates/${date.id}?expand=event`), date);
    const ofEvent = await one.rows(`/v1/events/${date.event_id}/dates?expand=event`);
    assert.deepEqual(
      ofEvent.find(({ id }) => id === date.id),
      date,
    );
  }
});
