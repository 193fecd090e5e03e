import assert from "node:assert/strict";
import { readdir } from "node:fs/promises";
import { test } from "node:test";
import { horizonMs } from "../../functions/data/repositories/orderRepository.ts";
import { defaultPerPage, maximumPerPage } from "../../functions/resources/page.ts";
import { exampleIn, guides, guideText } from "./guideExamples.ts";
import { testExamples } from "./testExamples.ts";

test("every guide is known here, and has one example in each language", async () => {
  const files = await readdir(new URL("../../docs/integrators/guides/", import.meta.url));
  assert.deepEqual(files.sort(), guides.map((guide) => `${guide}.md`).sort());
  for (const guide of guides) {
    for (const language of ["sh", "js", "python"] as const) await exampleIn(guide, language);
  }
});

test("the numbers in the guides are those of the service", async () => {
  assert.ok((await guideText("incremental-sync")).includes(`appears after about ${horizonMs / 1000} seconds`));
  assert.ok((await guideText("paging")).includes(`from 1 to ${maximumPerPage}; the default is ${defaultPerPage}.`));
});

testExamples("js");
