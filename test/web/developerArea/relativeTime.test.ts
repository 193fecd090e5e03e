import assert from "node:assert/strict";
import { test } from "@jest/globals";
import { relativeTime } from "../../../web/developerArea/app/parts/relativeTime.ts";

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
