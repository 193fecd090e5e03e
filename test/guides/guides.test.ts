import assert from "node:assert/strict";
import { readdir, readFile } from "node:fs/promises";
import { expect, test } from "@jest/globals";
import { minimumCompressionBytes } from "../../functions/api/gatewayResponses.ts";
import { retryAfterSeconds } from "../../functions/api/problemResponse.ts";
import { horizonMs } from "../../functions/changes/changeRepository.ts";
import { endpoints } from "../../functions/endpoints/index.ts";
import { deletionsShownDays } from "../../functions/records/recordItem.ts";
import { defaultPerPage, maximumPerPage } from "../../functions/resources/page.ts";
import { disabledAfterMs, maximumChanges, retryMs } from "../../functions/webhooks/deliverWebhook.ts";
import { receiverTimeoutMs } from "../../functions/webhooks/receiver.ts";
import { maximumUrlLength, maximumWebhooks, replayDays } from "../../functions/webhooks/webhook.ts";
import { requestsInBurst, requestsPerSecond } from "../../lib/api/restApi.ts";
import { settingsOf } from "../../lib/settings.ts";
import { exampleIn, guides, guidesWithoutExamples, guideText, languages, receiverGuide } from "./guideExamples.ts";

test("every guide on a task is tested and has one short example in each language", async () => {
  const files = await readdir(new URL("../../docs/integrators/guides/", import.meta.url));
  expect(files.sort()).toEqual(
    [...guides, receiverGuide, ...guidesWithoutExamples].map((guide) => `${guide}.md`).sort(),
  );
  for (const guide of guides) {
    const sections = [...(await guideText(guide)).matchAll(/^## (.*)$/gm)].map(([, title]) => title);
    expect(sections.slice(-languages.length)).toEqual(["curl", "TypeScript", "JavaScript", "Python"]);
    for (const language of languages) {
      const lines = (await exampleIn(guide, language)).code.trimEnd().split("\n");
      assert.ok(lines.length < 40, `${guide}: ${lines.length} lines of ${language}`);
    }
  }
});

test("the guide on webhooks has short receivers, and the numbers of the service", async () => {
  for (const language of ["ts", "python"] as const) {
    const { length } = (await exampleIn(receiverGuide, language)).code.trimEnd().split("\n");
    assert.ok(length < 30, `${length} lines of ${language}`);
  }
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
    ...{ type: "balance_payment", id: Number.MAX_SAFE_INTEGER, event_id: Number.MAX_SAFE_INTEGER },
    ...{ change: "upserted", changed_at: new Date().toISOString() },
  };
  assert.ok(text.includes(`up to ${maximumChanges} changes`) && text.includes("A message is smaller than 32 KB."));
  assert.ok(maximumChanges * JSON.stringify(longest).length < 31 * 1_024);
  assert.equal(disabledAfterMs, 5 * 24 * hourMs);
  assert.equal(receiverTimeoutMs, 10_000);
  assert.ok(text.includes("Respond with 2xx within ten seconds"));
  assert.ok(text.includes("After five days the webhook is disabled."));
});

const hourMs = 60 * 60 * 1_000;

test("the numbers in the guides and the HTTP contract match the service", async () => {
  assert.ok((await guideText("incremental-sync")).includes(`appears after about ${horizonMs / 1000} seconds`));
  const contract = await readFile(new URL("../../docs/integrators/http-contract.md", import.meta.url), "utf8");
  for (const text of [await guideText("incremental-sync"), contract]) {
    assert.ok(text.includes(`Deletions are shown for ${deletionsShownDays} days`));
  }
  assert.ok((await guideText("paging")).includes(`from 1 to ${maximumPerPage}; the default is ${defaultPerPage}.`));
  assert.ok((await guideText("values")).includes(`up to ${Number.MAX_SAFE_INTEGER} `));
  assert.ok((await guideText("conditional-updates")).includes(`Bodies over ${minimumCompressionBytes / 1024} KB`));
  const { settings } = settingsOf({ stage: "dev" });
  const perMinute = [
    settings?.requestsPerMinutePerKey,
    settings?.requestsPerMinutePerOrganisation,
    settings?.requestsPerMinutePerAddress,
    settings?.requestsPerMinuteWithoutKey,
  ];
  const numbers = [...perMinute, requestsPerSecond, requestsInBurst];
  const written = (await guideText("rate-limits")).replaceAll(",", "").match(/(?<=\| |bursts of )\d+/g);
  assert.deepEqual(written?.map(Number), numbers);
  assert.ok(
    (await guideText("errors-and-retries")).includes(`seconds in \`Retry-After\`, usually ${retryAfterSeconds}`),
  );
});

test("the guide on versioning says whether operations are deprecated, which lasts for at least 12 months", async () => {
  const deprecations = endpoints.flatMap(({ deprecation }) => deprecation ?? []);
  assert.equal((await guideText("versioning")).includes("Nothing is deprecated now."), deprecations.length === 0);
  for (const { since, sunset } of deprecations) {
    const inAYear = new Date(since).setUTCFullYear(since.getUTCFullYear() + 1);
    assert.ok(sunset.getTime() >= inAYear, `${since.toISOString()} to ${sunset.toISOString()}`);
  }
});
