import assert from "node:assert/strict";
import { readdir } from "node:fs/promises";
import { expect, test } from "@jest/globals";
import { horizonMs } from "../../functions/data/repositories/orderRepository.ts";
import { defaultPerPage, maximumPerPage } from "../../functions/resources/page.ts";
import { exampleIn, guides, guideText } from "./guideExamples.ts";

test("every guide is tested and has one example in each language", async () => {
  const files = await readdir(new URL("../../docs/integrators/guides/", import.meta.url));
  expect(files.sort()).toEqual(guides.map((guide) => `${guide}.md`).sort());
  for (const guide of guides) {
    for (const language of ["sh", "js", "python"] as const) await exampleIn(guide, language);
  }
});

test("the numbers in the guides match the service", async () => {
  assert.ok((await guideText("incremental-sync")).includes(`appears after about ${horizonMs / 1000} seconds`));
  assert.ok((await guideText("paging")).includes(`from 1 to ${maximumPerPage}; the default is ${defaultPerPage}.`));
});
