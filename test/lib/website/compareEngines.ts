import assert from "node:assert/strict";
import { hash } from "node:crypto";
import { readFileSync } from "node:fs";
import { parseArgs } from "node:util";
import { crc32 } from "node:zlib";
import { alphabet, checksumLength, isWellFormedApiKey } from "../../../functions/keys/apiKeySecret.ts";
import { tags } from "../../../lib/website/webAcl.ts";
import { redirects } from "../../../lib/website/websiteFile.ts";
import { type EdgeResult, runInNjs, runInNode, type ViewerEvent } from "../../support/aws/edgeFunction.ts";

/*
 * Runs the distribution's function of synthesised templates in njs and in Node, with the same thousand events. `.ci/run templates` runs it.
 * Usage: node compareEngines.ts TEMPLATE...
 */

const paths = [
  ...redirects.keys(),
  "/docs",
  "/docs/index.html",
  "/developer",
  "/v1/events",
  "/v1/events/1",
  "/v1/events/",
  "//",
  "//docs/",
  "/docs//",
  "/DOCS/",
  "/%2F",
  "/docs%2F",
  "/%",
  "/%zz",
  "/%00",
  "/%C3%A9",
  "/\u00e9",
  "/\u{1f3ab}",
  "/..",
  "/../docs/",
  "/constructor",
  "/__proto__",
  "/toString",
  "",
  "constructor",
  "__proto__",
  "toString",
  `/${"a".repeat(8_000)}`,
];
const queries = [
  undefined,
  "",
  "a=1",
  "a=%2F&a=?",
  "?",
  "&",
  "=",
  "%",
  "%zz",
  "a=\u00e9",
  "a=%F0%9F%8E%AB",
  "\u{1f3ab}",
  'a="&b=\\',
];
const methods = ["GET", "HEAD", "POST", "PATCH", "DELETE", "OPTIONS", "get"];
// No header can contain a line end. In njs, `$` also matches before the last one.
const schemes = ["Bearer ", "bearer ", "bEARER   ", "Bearer\t", "Bearer", "Basic ", "Bearer\u00a0", " Bearer ", ""];
const tokens = ["", "tsk_", "a.b.c", "a.b", "a.b.c.d", "a.b.", "..", "\u00e9.b.c", "-._._"];
const wellFormedToken = "eyJhbGciOiJSUzI1NiJ9.e30.c2ln";
const addresses = ["203.0.113.7", "2001:db8::1"];

/** A damaged key has one other character, one more, one less, or another order. */
const damages: ((key: string) => string)[] = [
  (key) => key,
  (key) => key.slice(0, -1),
  (key) => `${key}0`,
  (key) => key + key,
  (key) => key.toLowerCase(),
  (key) => key.replace("tsk_", "TSK_"),
  (key) => `${key.slice(0, 20)}${key[20] === "0" ? "1" : "0"}${key.slice(21)}`,
  (key) => key.slice(0, -1) + (key.endsWith("A") ? "B" : "A"),
  (key) => `${key.slice(0, -2)}${key.at(-1)}${key.at(-2)}`,
  (key) => `${key.slice(0, 10)}\u00e9${key.slice(11)}`,
  (key) => `${key} `,
];

/** A well-formed key, the same in every run, so that a difference can be repeated. */
function keyOf(index: number): string {
  const body = `tsk_${hash("sha512", String(index), "base64").replace(/\W/g, "").slice(0, 35)}`;
  const digits = Array.from({ length: checksumLength }, (_, place) =>
    alphabet.charAt(Math.floor(crc32(body) / 62 ** (checksumLength - 1 - place)) % 62),
  );
  const key = body + digits.join("");
  assert.ok(isWellFormedApiKey(key), key);
  return key;
}

/** Each value in turn, with steps that differ, so that the combinations do too. */
function eventOf(index: number): ViewerEvent {
  const pick = <Value>(values: readonly Value[], step: number) =>
    values[Math.floor(index / step) % values.length] as Value;
  const odd = index % 3 === 0 ? pick(tokens, 3) : pick(damages, 2)(keyOf(index));
  const value =
    index % 5 < 2
      ? `Bearer ${index % 2 === 0 ? keyOf(index) : wellFormedToken}`
      : pick(schemes, index % 4 === 0 ? 1 : 100_000) + odd;
  const repeated = { value, multiValue: [{ value }, { value: pick(tokens, 1) }] };
  const authorization = { authorization: index % 7 === 0 ? repeated : { value } };
  return {
    viewer: { ip: pick(addresses, 1) },
    request: {
      method: pick(methods, 5),
      uri: pick(paths, 1),
      querystring: {},
      headers: {
        host: { value: "api.example.com" },
        ...(index % 11 === 0 ? {} : authorization),
        ...(index % 5 === 0 ? { "x-key-tag": { value: "Ab3dE" }, "x-viewer-address": { value: "198.51.100.1" } } : {}),
        ...(index % 13 === 0 ? { accept: { value: "a", multiValue: [{ value: "a" }, { value: "b" }] } } : {}),
      },
      cookies: {},
    },
    query: pick(queries, 2),
  };
}

const { positionals } = parseArgs({ allowPositionals: true });
const events = Array.from({ length: 1_000 }, (_, index) => eventOf(index));
const codes = positionals.flatMap((file) => {
  const { Resources }: { Resources: Record<string, ReturnType<typeof JSON.parse>> } = JSON.parse(
    readFileSync(file, "utf8"),
  );
  const functions = Object.values(Resources).filter(({ Type }) => Type === "AWS::CloudFront::Function");
  return functions.map(({ Properties }): string => Properties.FunctionCode);
});
assert.equal(codes.length, 1);
for (const code of codes) {
  const [inNjs, inNode] = [runInNjs(code, events), runInNode(code, events)];
  for (const [index, result] of inNode.entries())
    assert.deepEqual(
      inNjs[index],
      result,
      `njs and Node differ: ${JSON.stringify([events[index], inNjs[index], result])}`,
    );
  const count = (matches: (result: EdgeResult) => unknown) => inNode.filter(matches).length;
  const numbers = {
    redirected: count(({ statusCode }) => statusCode),
    tagged: count(({ headers }) => /^\w{5}$/.test(headers?.["x-key-tag"]?.value)),
    withToken: count(({ headers }) => headers?.["x-key-tag"]?.value === tags.token),
    thrown: count(({ thrown }) => thrown),
  };
  const { redirected, tagged, withToken, thrown } = numbers;
  assert.ok(redirected > 20 && tagged > 20 && withToken > 20 && thrown === 0, JSON.stringify(numbers));
  assert.ok(tagged + withToken >= events.length / 4, JSON.stringify(numbers));
  console.log(`njs and Node return the same ${events.length} results:`, numbers);
}
