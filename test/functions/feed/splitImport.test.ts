import assert from "node:assert/strict";
import { gzipSync } from "node:zlib";
import { test } from "@jest/globals";
import { ObjectGone } from "../../../functions/feed/importObject.ts";
import {
  good,
  goodLines,
  key,
  reportKey,
  savedReport,
  split,
  startAnew,
  store,
  textOf,
  withoutDates,
} from "./support/importRuns.ts";

test("a run without time takes one line, and the next run continues after it", async () => {
  for (const pack of [Buffer.from, gzipSync]) {
    startAnew();
    const lines = goodLines(3);
    const object = store.put(key, pack(textOf(lines)));
    const sent: string[] = [];
    const states: string[] = [];
    for (let run = 0; run < 4; run++) {
      states.push((await split(object, sent, { deadline: AbortSignal.abort() })).state);
    }
    assert.deepEqual(states, ["running", "running", "running", "done"]);
    assert.deepEqual(sent, lines);
  }
});

test("an uncompressed object is read from the report's position on", async () => {
  const object = store.put(key, textOf(goodLines(3)));
  const { bytes_read } = await split(object, [], { deadline: AbortSignal.abort() });
  await split(object, []);
  assert.equal(store.requests.findLast((request) => request.key === key)?.headers.range, `bytes=${bytes_read}-`);
});

test("lines that are too long for a message or a record are rejected alone", async () => {
  const spaces = " ".repeat(1024 * 1024);
  const lines = [
    good(1),
    good(2).replace("{", `{${spaces}`),
    good(3),
    spaces.repeat(4).padEnd(4_194_305, "x"),
    good(4),
  ];
  const sent: string[] = [];
  const report = await split(store.put(key, gzipSync(textOf(lines))), sent);
  assert.deepEqual(sent, [good(1), good(3), good(4)]);
  assert.deepEqual(report.rejected_lines, [
    { line: 2, reason: "Longer than the 1024 KiB limit of a message" },
    { line: 4, reason: "Longer than 4 MB." },
  ]);
});

test("the report lists the first thousand rejected lines, without their values, and counts all", async () => {
  const secret = "ada@example.com";
  const bad = Array.from(
    { length: 1_500 },
    (_, index) =>
      [
        `{"type":"attendee","organisation_id":1,"data":{"id":"${secret}","email":7,"${secret}":1}}`,
        `{"type":"${secret}"}`,
        `${secret}`,
      ][index % 3] ?? "",
  );
  const report = await split(store.put(key, textOf([...bad, good(1)])), [], { savedEveryBytes: 50_000 });
  assert.equal(report.rejected, 1_500);
  assert.equal(report.accepted, 1);
  assert.deepEqual(
    report.rejected_lines.map(({ line }) => line),
    Array.from({ length: 1_000 }, (_, index) => index + 1),
  );
  assert.ok(!store.get(reportKey)?.includes("example.com"));
});

test("a repeated event does not change a finished or failed import", async () => {
  for (const content of [Buffer.from(textOf(goodLines(3))), gzipSync(textOf(goodLines(3))).subarray(0, -9)]) {
    startAnew();
    const object = store.put(key, content);
    await split(object, []);
    const report = store.get(reportKey);
    const sent: string[] = [];
    await split(object, sent);
    assert.deepEqual(sent, []);
    assert.equal(store.get(reportKey), report);
  }
});

test("truncated or damaged gzip fails after the records before the damage, with the reason", async () => {
  const lines = Array.from({ length: 5_000 }, (_, index) => good(index + 1, `${index * 7919}`));
  const packed = gzipSync(textOf(lines));
  const damaged = Buffer.from(packed).fill(0, packed.length - 8);
  for (const { content, reason } of [
    { content: packed.subarray(0, -100), reason: "The object is truncated gzip." },
    { content: damaged, reason: "The object is damaged gzip (incorrect data check)." },
    {
      content: Buffer.concat([packed, Buffer.alloc(600), Buffer.from(good(1))]),
      reason: "The object is damaged gzip (incorrect header check).",
    },
  ]) {
    startAnew();
    const sent: string[] = [];
    const report = await split(store.put(key, content), sent, { savedEveryBytes: 100_000 });
    assert.deepEqual({ state: report.state, reason: report.reason }, { state: "failed", reason });
    assert.ok(sent.length > lines.length / 2);
    assert.ok(textOf(lines).startsWith(textOf(sent)));
    assert.equal(report.accepted, sent.length);
    assert.equal(report.bytes_read, Buffer.byteLength(textOf(sent)));
    assert.deepEqual(savedReport(), report);
  }
});

test("an object with new content, or with an unreadable report, is imported from its start", async () => {
  await split(store.put(key, textOf(goodLines(3))), [], { deadline: AbortSignal.abort() });
  const newer = [good(7), good(8)];
  const sent: string[] = [];
  const object = store.put(key, textOf(newer));
  const report = withoutDates(await split(object, sent));
  assert.deepEqual(sent, newer);
  assert.equal(report.accepted, 2);
  for (const unreadable of ["", "{", '{"state":"running"}', JSON.stringify({ ...report, date_started: "today" })]) {
    store.put(reportKey, unreadable);
    assert.deepEqual(withoutDates(await split(object, [])), report);
  }
});

test("an import whose object is replaced or deleted ends without overwriting a newer report", async () => {
  for (const change of ["replace", "delete"]) {
    startAnew();
    const object = store.put(key, textOf(goodLines(50)));
    store.faultOf = (request) => (request.key === key ? { cutAfterBytes: 2_000 } : undefined);
    const onMessage = () => {
      store.delete(key);
      if (change === "replace") store.put(key, "newer");
      store.put(reportKey, "the newer object's report");
    };
    await assert.rejects(split(object, [], { onMessage }), (error) => {
      return error instanceof ObjectGone || (error instanceof Error && error.name === "PreconditionFailed");
    });
    assert.equal(store.get(reportKey), "the newer object's report");
    await assert.rejects(split(object, []), ObjectGone);
    assert.equal(store.get(reportKey), "the newer object's report");
  }
});
