import assert from "node:assert/strict";
import { globSync, readFileSync } from "node:fs";
import { test } from "@jest/globals";
import { openApiFiles } from "../../lib/website/openApi.ts";
import { demoRecords } from "../../local/demo/demoRecords.ts";

/** Tests the sum of the digits, of which every second from the right counts as `weighted` says. */
function isMultipleOfTen(digits: string, weighted: (digit: number) => number): boolean {
  const values = [...digits].reverse().map(Number);
  return values.reduce((sum, digit, index) => sum + (index % 2 === 1 ? weighted(digit) : digit), 0) % 10 === 0;
}

/** ISO 13616: letters count from 10 for A. */
function isIban(text: string): boolean {
  const digits = (text.slice(4) + text.slice(0, 4)).replaceAll(/[A-Z]/g, (letter) => String(parseInt(letter, 36)));
  return BigInt(digits) % 97n === 1n;
}

/** Forms of standard codes with their check digits. */
const standards: [form: RegExp, isValid: (text: string) => boolean][] = [
  // EAN-8, UPC-A, EAN-13 and ITF-14, by the GS1 General Specifications.
  [/^(\d{8}|\d{12,14})$/, (text) => isMultipleOfTen(text, (digit) => 3 * digit)],
  // Payment cards, by ISO/IEC 7812.
  [
    /^(3[47]\d{13}|(4\d|5[1-5]|2[2-7]|6[05])\d{14})$/,
    (text) => isMultipleOfTen(text, (digit) => 2 * digit - (digit > 4 ? 9 : 0)),
  ],
  [/^[A-Z]{2}\d{2}[A-Z\d]{11,30}$/, isIban],
];

function invalidCodesIn(text: string): string[] {
  const words = text.match(/\w+/g) ?? [];
  return words.filter((word) => standards.some(([form, isValid]) => form.test(word) && !isValid(word)));
}

const guides = globSync("docs/integrators/**/*.md").map((file): [string, string] => [file, readFileSync(file, "utf8")]);
const document = openApiFiles()["/openapi.json"];
const shown = new Map([...guides, ["the demo", JSON.stringify(demoRecords())], ["the OpenAPI document", document]]);

for (const [name, text] of shown) {
  test(`every code in ${name} with the form of a standard is valid by that standard`, () => {
    assert.deepEqual(invalidCodesIn(text), []);
    for (const [, zone = ""] of text.matchAll(/"time_zone_id":\s*"(.*?)"/g))
      new Intl.DateTimeFormat("en", { timeZone: zone });
    for (const [, currency = ""] of text.matchAll(/"currency":\s*"(.*?)"/g))
      assert.ok(Intl.supportedValuesOf("currency").includes(currency), currency);
  });
}

test("a wrong digit is found in every standard's code", () => {
  const codes = ["96385074", "036000291452", "4006381333931", "15400141288763", "4111111111111111", "378282246310005"];
  const iban = "GB82WEST12345698765432";
  assert.deepEqual(invalidCodesIn([...codes, iban].join(" ")), []);
  const wrong = [...codes, iban].map((code) => code.slice(0, -1) + ((Number(code.at(-1)) + 1) % 10));
  assert.deepEqual(invalidCodesIn(wrong.join(" ")), wrong);
});

test("the demo's barcodes differ in their first twelve digits, the only ones that some readers return", () => {
  const barcodes = demoRecords().flatMap(({ type, data }) => (type === "ticket" && data.barcode) || []);
  assert.ok(barcodes.length > 40);
  const different = new Set(barcodes);
  assert.equal(new Set([...different].map((barcode) => barcode.slice(0, 12))).size, different.size);
});
