import assert from "node:assert/strict";
import { test } from "@jest/globals";
import fc from "fast-check";
import { type ImportObject, ObjectGone, openReport, readObject } from "../../../functions/feed/importObject.ts";
import { collect } from "../../support/http/client.ts";
import { cases } from "../../support/jest/cases.ts";
import { goodLines, key, reportKey, savedReport, store, textOf } from "./support/importRuns.ts";

const content = Buffer.from(Array.from({ length: 40_000 }, (_, index) => `${index * 7919}\n`).join(""));

async function read(object: ImportObject, startByte = 0): Promise<Buffer> {
  return Buffer.concat(await collect(readObject(object, startByte)));
}

test("an object can be read from any byte on, and interrupted reads continue", async () => {
  const object = store.put("imports/a b+ü.ndjson", content);
  const anywhere = fc.nat(content.length);
  await fc.assert(
    fc.asyncProperty(anywhere, fc.array(fc.integer({ min: 1, max: content.length })), async (start, cuts) => {
      const left = cuts.values();
      store.faultOf = () => {
        const { value } = left.next();
        return value === undefined ? undefined : { cutAfterBytes: value };
      };
      assert.ok((await read(object, start)).equals(content.subarray(start)));
    }),
    { numRuns: cases(5, 30) },
  );
});

test("an empty object is also requested, and has no bytes", async () => {
  const object = store.put("imports/empty.ndjson", "");
  assert.equal((await read(object)).length, 0);
  store.delete(object.key);
  await assert.rejects(read(object), ObjectGone);
});

test("a read goes on after six interruptions with bytes between them", async () => {
  const object = store.put("imports/a.ndjson", content);
  let cuts = 6;
  store.faultOf = () => (cuts-- > 0 ? { cutAfterBytes: 1_000 } : undefined);
  assert.ok((await read(object)).equals(content));
});

test("a read fails after five interruptions in a row without a byte", async () => {
  const object = store.put("imports/a.ndjson", content);
  store.faultOf = ({ headers }) => ({ cutAfterBytes: headers.range === undefined ? 100 : 0 });
  await assert.rejects(read(object));
  const ranges = store.requests.map(({ headers }) => headers.range);
  assert.deepEqual(ranges, [undefined, ...Array.from({ length: 4 }, () => "bytes=100-")]);
});

test("a reader that stops early leaves no connection open", async () => {
  const object = store.put("imports/large.ndjson", Buffer.alloc(3_000_000));
  for (let count = 0; count < 60; count++) {
    for await (const chunk of readObject(object, 0)) {
      assert.ok(chunk.length > 0);
      break;
    }
  }
});

test("a report is saved only if nobody else has saved it since it was opened, whether it existed or not", async () => {
  const object = store.put(key, textOf(goodLines(1)));
  for (const round of [1, 2]) {
    const [mine, others] = [await openReport(object, reportKey), await openReport(object, reportKey)];
    others.report.lines_read = round;
    await others.save();
    await assert.rejects(mine.save(), { name: "PreconditionFailed" });
    assert.equal(savedReport().lines_read, round);
    others.report.lines_read = 10 * round;
    await others.save();
    assert.equal(savedReport().lines_read, 10 * round);
  }
});
