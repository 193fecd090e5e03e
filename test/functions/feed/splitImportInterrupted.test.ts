import assert from "node:assert/strict";
import { gzipSync } from "node:zlib";
import { test } from "@jest/globals";
import fc from "fast-check";
import type { ImportReport } from "../../../functions/feed/importObject.ts";
import { cases } from "../../support/jest/cases.ts";
import {
  good,
  goodLines,
  key,
  savedReport,
  split,
  splitInPart,
  startAnew,
  store,
  textOf,
  withoutDates,
} from "./support/importRuns.ts";

interface Line {
  bytes: Buffer;
  is: "good" | "bad" | "blank";
}

const lineOf = (is: Line["is"]) => (text: string) => ({ bytes: Buffer.from(text), is });
const goodLine = fc.tuple(fc.integer({ min: 1, max: 99 }), fc.string({ unit: "grapheme" }));
const anyLine: fc.Arbitrary<Line> = fc.oneof(
  { weight: 5, arbitrary: goodLine.map(([id, name]) => good(id, `${name}.`)).map(lineOf("good")) },
  { weight: 2, arbitrary: fc.constantFrom("{", "[]", "null", '{"type":"event"}', `[${good(1)}]`).map(lineOf("bad")) },
  { weight: 2, arbitrary: fc.constantFrom("", " ", "\t").map(lineOf("blank")) },
  { weight: 1, arbitrary: fc.constant<Line>({ bytes: Buffer.from([0x7b, 0xc3, 0x28, 0x7d]), is: "bad" }) },
);
const gzipInPaddedParts = (content: Buffer) => {
  const middle = Math.floor(content.length / 2);
  const parts = [content.subarray(0, middle), content.subarray(middle)];
  return Buffer.concat(parts.flatMap((part) => [gzipSync(part), Buffer.alloc(1_000)]));
};
const anyFile = fc
  .record({
    lines: fc.array(anyLine, { maxLength: 25 }),
    lineEnd: fc.constantFrom("\n", "\r\n"),
    start: fc.constantFrom("", "\uFEFF"),
    isEnded: fc.boolean(),
    pack: fc.constantFrom((content: Buffer) => content, gzipSync, gzipInPaddedParts),
  })
  .map(({ lines, lineEnd, start, isEnded, pack }) => {
    const ended = lines.flatMap(({ bytes }, index) => [bytes, isEnded || index < lines.length - 1 ? lineEnd : ""]);
    const content = Buffer.concat([start, ...ended].map((part) => Buffer.from(part)));
    return { lines, content, stored: pack(content) };
  });
const anyRun = fc.record({ messages: fc.nat(6), isKilled: fc.boolean() });

const goodOf = (lines: Line[]) => lines.filter(({ is }) => is === "good").map(({ bytes }) => bytes.toString());

test("all valid records are sent in order, and the report lists every invalid line", async () => {
  await fc.assert(
    fc.asyncProperty(anyFile, async ({ lines, content, stored }) => {
      startAnew();
      const sent: string[] = [];
      const report = await split(store.put(key, stored), sent);
      const rejected = lines.flatMap(({ is }, index) => (is === "bad" ? [index + 1] : []));
      const lineEnds = content.filter((byte) => byte === 0x0a).length;
      assert.deepEqual(sent, goodOf(lines));
      assert.deepEqual(savedReport(), report);
      assert.deepEqual(
        { ...withoutDates(report), rejected_lines: report.rejected_lines.map(({ line }) => line) },
        {
          object: key,
          etag: report.etag,
          state: "done",
          reason: null,
          bytes_read: content.length,
          lines_read: lineEnds + (content.length === 0 || content.at(-1) === 0x0a ? 0 : 1),
          accepted: sent.length,
          rejected: rejected.length,
          rejected_lines: rejected,
        },
      );
    }),
  );
});

test("an import that is stopped, killed or cut off several times loses nothing and has the same report", async () => {
  const cuts = fc.array(fc.integer({ min: 1, max: 3_000 }), { maxLength: 4 });
  await fc.assert(
    fc.asyncProperty(anyFile, fc.array(anyRun, { maxLength: 6 }), cuts, async ({ lines, stored }, runs, cutsAfter) => {
      const object = store.put(key, stored);
      startAnew();
      const expected = withoutDates(await split(object, []));

      startAnew();
      const sent: string[] = [];
      const saves: { report: ImportReport; sent: Set<string> }[] = [];
      store.faultOf = ({ method, body, ...request }) => {
        if (method === "PUT") saves.push({ report: JSON.parse(body.toString()), sent: new Set(sent) });
        const cutAfterBytes = request.key === key ? cutsAfter.pop() : undefined;
        return cutAfterBytes === undefined ? undefined : { cutAfterBytes };
      };
      for (const { messages, isKilled } of runs) await splitInPart(object, sent, messages, isKilled);
      assert.deepEqual(withoutDates(await split(object, sent)), expected);
      assert.deepEqual(withoutDates(savedReport()), expected);
      assert.deepEqual(new Set(sent), new Set(goodOf(lines)));
      // Every record that a saved report counts was already in the queue.
      for (const { report, sent } of saves) {
        assert.equal(goodOf(lines.slice(0, report.lines_read)).length, report.accepted);
        for (const line of goodOf(lines.slice(0, report.lines_read))) assert.ok(sent.has(line));
      }
    }),
    { numRuns: cases(5, 60) },
  );
});

test("if one of two concurrent runs is killed at any time, the other one's next run completes the import", async () => {
  const lines = goodLines(30);
  const object = store.put(key, textOf(lines));
  await fc.assert(
    fc.asyncProperty(fc.array(anyRun, { maxLength: 6 }), async (runs) => {
      startAnew();
      const sent: string[] = [];
      const parts = runs.map(({ messages, isKilled }) => splitInPart(object, sent, messages, isKilled).catch(() => {}));
      await Promise.all(parts);
      const { accepted, lines_read, state } = await split(object, sent);
      assert.deepEqual({ accepted, lines_read, state }, { accepted: 30, lines_read: 30, state: "done" });
      assert.deepEqual(new Set(sent), new Set(lines));
    }),
    { numRuns: cases(3, 30) },
  );
});

test("a killed run has saved its progress after each part", async () => {
  const lines = goodLines(9);
  const sent: string[] = [];
  const onMessage = () => {
    if (sent.length >= 4) throw new Error("Killed.");
  };
  const object = store.put(key, textOf(lines));
  await assert.rejects(split(object, sent, { onMessage, savedEveryBytes: 1 }), /Killed/);
  assert.deepEqual([savedReport().accepted, savedReport().state], [3, "running"]);
});
