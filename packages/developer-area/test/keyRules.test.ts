import assert from "node:assert/strict";
import { test } from "@jest/globals";
import { confirms } from "../app/keys/keyRules.ts";
import { isWithinADay, relativeTime } from "../app/parts/relativeTime.ts";

const now = new Date("2027-03-01T12:00:00Z");
const agoSeconds = (seconds: number) => relativeTime(new Date(now.getTime() - seconds * 1000), now);

test("an instant's age is given in the largest unit that fits, rounded down", () => {
  const [minute, hour, day] = [60, 3600, 86_400];
  assert.deepEqual(
    [
      0,
      59,
      60,
      119,
      2 * minute,
      hour - 1,
      hour,
      23 * hour + 59 * minute,
      day,
      29 * day,
      30 * day,
      364 * day,
      800 * day,
    ].map(agoSeconds),
    [
      "just now",
      "just now",
      "1 minute ago",
      "1 minute ago",
      "2 minutes ago",
      "59 minutes ago",
      "1 hour ago",
      "23 hours ago",
      "1 day ago",
      "29 days ago",
      "1 month ago",
      "12 months ago",
      "2 years ago",
    ],
  );
});

test("an instant in the future, from a clock that is ahead, is given as just now", () => {
  assert.equal(agoSeconds(-90), "just now");
});

test("a last use up to 24 hours ago, inclusive, counts as in use", () => {
  assert.ok(isWithinADay("2027-03-01T11:59:59Z", now));
  assert.ok(isWithinADay("2027-02-28T12:00:00Z", now));
  assert.ok(!isWithinADay("2027-02-28T11:59:59.999Z", now));
});

test("what was never used does not count as in use", () => {
  assert.ok(!isWithinADay(null, now));
});

test.each([
  ["a zero-width space", "Web\u200bsite", "Website"],
  ["a no-break space", "Box\u00a0office", "Box office"],
  ["a decomposed letter", "Cafe\u0301", "Café"],
  ["two spaces", "Box  office", "Box office"],
])("a name with %s is confirmed by what a keyboard can type, in any case", (_, name, typed) => {
  const key = { name, prefix: "tsk_12345678" };
  assert.ok(confirms(typed, key));
  assert.ok(confirms(typed.toUpperCase(), key));
  assert.ok(!confirms(`${typed}s`, key));
});

test("a key is also confirmed by its prefix", () => {
  const key = { name: "☃".repeat(9), prefix: "tsk_12345678" };
  assert.ok(confirms(" tsk_12345678 ", key));
  assert.ok(!confirms(" ", key));
});
