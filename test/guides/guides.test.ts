import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { test } from "@jest/globals";
import { minimumCompressionBytes } from "../../functions/api/gatewayResponses.ts";
import { retryAfterSeconds } from "../../functions/api/problemResponse.ts";
import { keyOf } from "../../functions/changes/change.ts";
import { endpoints } from "../../functions/endpoints/index.ts";
import { visibilityDelayMs } from "../../functions/records/changeTime.ts";
import { deletionsShownDays } from "../../functions/records/recordItem.ts";
import { defaultPerPage, maximumPerPage } from "../../functions/resources/page.ts";
import { trimmed } from "../../functions/values/lookUp.ts";
import { disabledAfterMs, retryMs } from "../../functions/webhooks/attemptOutcome.ts";
import { maximumChanges } from "../../functions/webhooks/nextMessage.ts";
import { receiverTimeoutMs } from "../../functions/webhooks/receiver.ts";
import { maximumUrlLength, maximumWebhooks, replayDays } from "../../functions/webhooks/webhook.ts";
import { requestsInBurst, requestsPerSecond } from "../../lib/api/restApi.ts";
import { settingsOf } from "../../lib/settings.ts";
import { guides } from "../../packages/reference/guides.ts";
import { guideText, receiverGuide } from "./guideExamples.ts";

test("the numbers in the guide on webhooks match the service", async () => {
  const text = await guideText(receiverGuide);
  const times = retryMs.map((ms) =>
    ms < 60_000 ? `${ms / 1_000} s` : ms < hourMs ? `${ms / 60_000} min` : `${ms / hourMs} h`,
  );
  assert.ok(text.includes(`after ${times.slice(0, -1).join(", ")}, and then every ${times.at(-1)}.`));
  for (const statement of [
    `up to ${maximumUrlLength.toLocaleString("en")} characters`,
    `at most ${maximumWebhooks} webhooks`,
    `within the last ${replayDays} days`,
  ])
    assert.ok(text.includes(statement), statement);
  const longest = {
    ...{ type: "balance_payment" as const, id: Number.MAX_SAFE_INTEGER, event_id: Number.MAX_SAFE_INTEGER },
    ...{ change: "upserted", changed_at: new Date().toISOString() },
  };
  assert.ok(text.includes(`up to ${maximumChanges} changes`) && text.includes("A message is smaller than 32 KB."));
  assert.ok(maximumChanges * JSON.stringify({ ...longest, key: keyOf(longest) }).length < 31 * 1_024);
  assert.equal(disabledAfterMs, 5 * 24 * hourMs);
  assert.equal(receiverTimeoutMs, 10_000);
  assert.ok(text.includes("Respond with 2xx within ten seconds"));
  assert.ok(text.includes("After five days the webhook is disabled."));
});

function contractText(): Promise<string> {
  return readFile(new URL("../../docs/integrators/http-contract.md", import.meta.url), "utf8");
}

const hourMs = 60 * 60 * 1_000;

test("the numbers in the guides and the HTTP contract match the service", async () => {
  assert.ok((await guideText("incremental-sync")).includes(`appears after about ${visibilityDelayMs / 1000} seconds`));
  for (const text of [await guideText("incremental-sync"), await contractText()]) {
    assert.ok(text.includes(`Deletions are shown for ${deletionsShownDays} days`));
  }
  assert.ok((await guideText("basics")).includes(`from 1 to ${maximumPerPage}; the default is ${defaultPerPage}.`));
  assert.ok((await guideText("basics")).includes(`up to ${Number.MAX_SAFE_INTEGER} `));
  assert.ok((await guideText("writes")).includes(`Bodies over ${minimumCompressionBytes / 1024} KB`));
  const { settings } = settingsOf({ stage: "dev" });
  const perMinute = [
    settings?.requestsPerMinutePerKey,
    settings?.requestsPerMinutePerOrganisation,
    settings?.requestsPerMinutePerAddress,
    settings?.requestsPerMinuteWithoutKey,
  ];
  const numbers = [...perMinute, requestsPerSecond, requestsInBurst];
  const [, table = ""] = /^\| requests \| limit \|\n(.*?)\n\n/ms.exec(await guideText("basics")) ?? [];
  const written = table.replaceAll(",", "").match(/(?<=\| |bursts of )\d+/g);
  assert.deepEqual(written?.map(Number), numbers);
  assert.ok(
    (await guideText("errors-and-retries")).includes(`seconds in \`Retry-After\`, usually ${retryAfterSeconds}`),
  );
});

test("the contract and the guide on door scanning name the white space that look-ups ignore", async () => {
  const ignored = Array.from({ length: 0x1_0000 }, (_, code) => String.fromCharCode(code)).filter(
    (character) => trimmed(character) === "",
  );
  const [, listed = ""] = /white space around them is ignored: (.*)\.\n/.exec(await contractText()) ?? [];
  const ranges = listed.split(/, | and /).map((range) => range.split(" to ").map((one) => parseInt(one.slice(2), 16)));
  const named = ranges.flatMap(([first = 0, last = first]) =>
    Array.from({ length: last - first + 1 }, (_, index) => String.fromCharCode(first + index)),
  );
  assert.deepEqual(named, ignored);
  const [, literal = ""] = /^SPACE = (".*")$/m.exec(await guideText("door-scanning")) ?? [];
  assert.deepEqual([...JSON.parse(literal)].sort(), ignored);
});

test("the Developer area's link about refused messages leads to a section of the reference page", async () => {
  const advice = new URL("../../packages/developer-area/app/webhooks/RefusedAdvice.tsx", import.meta.url);
  const [, id = ""] = /"\/docs#(.*?)"/.exec(await readFile(advice, "utf8")) ?? [];
  assert.ok(guides("").some(({ content }) => content.text.includes(`id="${id}"`)));
});

test("the guide says whether operations are deprecated, which lasts for at least 12 months", async () => {
  const deprecations = endpoints.flatMap(({ deprecation }) => deprecation ?? []);
  assert.equal((await guideText("basics")).includes("Nothing is deprecated now."), deprecations.length === 0);
  for (const { since, sunset } of deprecations) {
    const inAYear = new Date(since).setUTCFullYear(since.getUTCFullYear() + 1);
    assert.ok(sunset.getTime() >= inAYear, `${since.toISOString()} to ${sunset.toISOString()}`);
  }
});
