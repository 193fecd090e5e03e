import { globSync, readFileSync } from "node:fs";
import { expect, test } from "@jest/globals";
import { ApiKey, ApiKeyInput } from "../../functions/keys/apiKey.ts";
import { changingTypes } from "../../functions/resources/index.ts";
import { Scope } from "../../functions/resources/scope.ts";
import { scopes } from "../../packages/developer-area/app/keys/keyRules.ts";
import { types } from "../../packages/developer-area/app/webhooks/webhookRules.ts";

/** The words of the page's components that contain a text, or of all. */
function wordsOf(part = ""): Set<string> {
  const texts = globSync("packages/developer-area/app/**/*.tsx").map((file) => readFileSync(file, "utf8"));
  return new Set(texts.filter((text) => text.includes(part)).flatMap((text) => text.match(/\w+/g) ?? []));
}

test("the Developer area offers every scope of keys, and every type of webhooks", () => {
  expect(scopes.map(({ scope }) => scope)).toEqual(Scope.options);
  expect(types.map(({ type }) => type)).toEqual(changingTypes);
});

test("the Developer area shows every field of a key, and its form sends every field of a new one", () => {
  const fields = Object.keys(ApiKey.shape);
  const [shown, inForm] = [wordsOf(), wordsOf("ApiKeyInput")];
  expect(fields.filter((field) => !shown.has(field))).toEqual([]);
  expect(Object.keys(ApiKeyInput.shape).filter((field) => !inForm.has(field))).toEqual([]);
});
