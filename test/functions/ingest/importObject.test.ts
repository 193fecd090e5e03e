import assert from "node:assert/strict";
import { after, before, beforeEach, test } from "node:test";
import fc from "fast-check";
import {
  type ImportObject,
  ObjectGone,
  readObject,
  readText,
  writeText,
} from "../../../functions/ingest/importObject.ts";
import { collect } from "../../support/collect.ts";
import { type ObjectStore, useObjectStore } from "../../support/objectStore.ts";

let store: ObjectStore;
before(async () => {
  store = await useObjectStore();
});
after(() => store.close());
beforeEach(() => {
  store.faultOf = () => undefined;
  store.requests.length = 0;
});

const content = Buffer.from(Array.from({ length: 40_000 }, (_, index) => `${index * 7919}\n`).join(""));

async function read(object: ImportObject, startByte = 0): Promise<Buffer> {
  return Buffer.concat(await collect(readObject(object, startByte)));
}

test("an object is read from any byte on, wherever its reads break off", async () => {
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
    { numRuns: 30 },
  );
});

test("an empty object has no bytes, and is asked for all the same", async () => {
  const object = store.put("imports/empty.ndjson", "");
  assert.equal((await read(object)).length, 0);
  store.delete(object.key);
  await assert.rejects(read(object), ObjectGone);
});

test("a read that breaks off without a byte is given up after five in a row", async () => {
  const object = store.put("imports/a.ndjson", content);
  store.faultOf = ({ headers }) => ({ cutAfterBytes: headers.range === undefined ? 100 : 0 });
  await assert.rejects(read(object));
  const ranges = store.requests.map(({ headers }) => headers.range);
  assert.deepEqual(ranges, [undefined, ...Array.from({ length: 4 }, () => "bytes=100-")]);
});

test("whoever stops reading leaves no connection open", async () => {
  const object = store.put("imports/large.ndjson", Buffer.alloc(10_000_000));
  for (let count = 0; count < 60; count++) {
    for await (const chunk of readObject(object, 0)) {
      assert.ok(chunk.length > 0);
      break;
    }
  }
});

test("an object that is replaced or deleted, before or while it is read, is gone", async () => {
  for (const change of [() => void store.put("imports/a.ndjson", "newer"), () => store.delete("imports/a.ndjson")]) {
    const object = store.put("imports/a.ndjson", content);
    store.faultOf = () => ({ cutAfterBytes: 1_000 });
    const chunks = readObject(object, 0);
    assert.ok(!(await chunks.next()).done);
    change();
    await assert.rejects(collect(chunks), ObjectGone);
    await assert.rejects(read(object), ObjectGone);
  }
});

test("a text is written only in place of the one that is known to be there", async () => {
  const place = { ...store.put("reports/a.json", "first") };
  const first = await readText(place.bucket, place.key);
  assert.equal(first?.text, "first");
  const second = await writeText(place, "second", first.etag);
  for (const known of [first.etag, undefined]) {
    await assert.rejects(writeText(place, "third", known), { name: "PreconditionFailed" });
  }
  assert.deepEqual(await readText(place.bucket, place.key), { text: "second", etag: second });
});

test("a text that is not there is none, and a new one is written only there", async () => {
  const place = { ...store.put("reports/b.json", ""), key: "reports/new.json" };
  assert.equal(await readText(place.bucket, place.key), undefined);
  const etag = await writeText(place, "{}", undefined);
  assert.deepEqual(await readText(place.bucket, place.key), { text: "{}", etag });
});
