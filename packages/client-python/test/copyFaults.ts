import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { randomInt } from "node:crypto";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { promisify } from "node:util";
import { beforeEach, describe, test } from "@jest/globals";
import { itemKeys } from "../../../functions/table/itemKeys.ts";
import { deleteItems } from "../../../test/support/data/table.ts";
import { cases } from "../../../test/support/jest/cases.ts";
import { organisationId, stageOrder } from "../../../test/support/service/integratorStage.ts";
import {
  assertCopied,
  assertRuns,
  command,
  copy,
  environment,
  expectedTables,
  proxy,
  recordsOf,
  stage,
} from "./support/copiedStage.ts";

for (let id = 1_001; id < 1_040; id++) await stage.put(...recordsOf(id, `text ${id}`));
const perPage = 20;

beforeEach(() => {
  proxy.state.edits = { perPage };
  proxy.state.changes = 0;
});

const problem = (status: number, code: string, headers: Record<string, string> = {}) => ({
  status,
  headers,
  body: { status, title: "Fault", code, detail: "A fault of the test.", request_id: "r-1" },
});

/** Starts a copy, and waits until the proxy gets a request for changes, which it holds for good. */
async function startHeld(target: string, holds: (request: number) => ReturnType<typeof problem> | "held" | undefined) {
  const held = new Promise<undefined>((resolve) => {
    proxy.state.changes = 0;
    proxy.state.edits.before = (request) => {
      const answer = holds(request);
      if (answer !== "held") return answer;
      resolve(undefined);
      return new Promise(() => undefined);
    };
  });
  const { child, ended } = command.start(["copy", target], environment);
  const early = await Promise.race([held, ended]);
  assert.equal(early?.stderr, undefined);
  return { child, ended };
}

function release(): void {
  delete proxy.state.edits.before;
}

for (const format of ["duckdb", "sqlite", "parquet"]) {
  describe(`an interrupted ticketing copy into .${format}`, () => {
    test(`ends with the same copy after it was killed at several random moments`, async () => {
      const target = `killed.${format}`;
      for (let kills = 0; kills < cases(3, 7); kills++) {
        proxy.state.changes = 0;
        const at = randomInt(1, 5);
        const reached = new Promise<void>((resolve) => {
          proxy.state.edits.before = (request) => void (request === at && resolve());
        });
        const { child, ended } = command.start(["copy", target], environment);
        await Promise.race([reached, ended]);
        await wait(randomInt(0, 40));
        child.kill("SIGKILL");
        await ended;
      }
      release();
      await assertRuns(target);
      await assertCopied(target, await expectedTables());
    });

    test(`says that the disk is full, and continues after that`, async () => {
      const target = `full.${format}`;
      // A file of this size is as good as a full disk, because nothing more can be written. Python would cut its compiled modules, too.
      const variables = { ...environment, PYTHONDONTWRITEBYTECODE: "1" };
      const { code, lastLine } = await command.run(["copy", target], variables, "ulimit -f 200;");
      assert.match(lastLine, /^The copy cannot be written: .*(File too large|disk).*it continues\.$/);
      assert.equal(code, 1);
      await assertRuns(target);
      await assertCopied(target, await expectedTables());
    });
  });
}

describe("ticketing copy", () => {
  test("ends at Ctrl-C with code 130, and continues from there", async () => {
    const { child, ended } = await startHeld("stopped.duckdb", (request) => (request === 5 ? "held" : undefined));
    child.kill("SIGINT");
    const { code, lastLine } = await ended;
    assert.deepEqual([code, lastLine], [130, "Stopped."]);
    release();
    const all = (await assertRuns("all.duckdb")) - perPage;
    assert.ok((await assertRuns("stopped.duckdb")) <= all);
    await assertCopied("stopped.duckdb", await expectedTables());
  });

  test("refuses a second run on the same copy with code 3", async () => {
    const { child, ended } = await startHeld("shared.sqlite", (request) => (request === 3 ? "held" : undefined));
    const { code, lastLine } = await copy("shared.sqlite");
    assert.deepEqual([code, lastLine], [3, "Another run works on shared.sqlite. Wait until it ends."]);
    child.kill("SIGKILL");
    await ended;
    release();
    await assertRuns("shared.sqlite");
  });
});

describe("ticketing copy, to its user,", () => {
  test("waits as Retry-After says, and shows it", async () => {
    proxy.state.edits.before = (request) =>
      request === 2 ? problem(429, "too_many", { "Retry-After": "1" }) : undefined;
    const { code, stderr } = await copy("limited.duckdb");
    assert.equal(code, 0);
    assert.match(stderr, /^The service responds 429\. Next try in \d s\.$/m);
  });

  test("also waits for longer than the client does, until it is stopped", async () => {
    proxy.state.edits.before = () => problem(429, "too_many", { "Retry-After": "3600" });
    const { child, ended } = command.start(["copy", "waiting.duckdb"], environment);
    await once(child.stderr, "data");
    child.kill("SIGINT");
    const { code, stderr, lastLine } = await ended;
    assert.match(stderr, /^The service responds 429\. Next try in 360\d s\.$/m);
    assert.deepEqual([code, lastLine], [130, "Stopped."]);
  });

  test("shows its progress in a line a minute without a terminal, and all the time on one", async () => {
    const program = `
from types import SimpleNamespace
from ticketing_client.cli import _progress
clock = [0.0]
_progress.time = SimpleNamespace(monotonic=lambda: clock[0])
with _progress.Progress() as progress:
    for seconds in (59, 60, 90, 120):
        clock[0] = seconds
        progress.stored(6_000, f"at {seconds}")`;
    const shown = async (variables: Record<string, string>) =>
      (await promisify(execFile)(command.python, ["-c", program], { env: { ...process.env, ...variables } })).stderr;
    const lines = [
      "12,000 rows, 200 rows a second, changes until at 60",
      "24,000 rows, 200 rows a second, changes until at 120",
    ];
    assert.deepEqual((await shown({})).trim().split("\n"), lines);
    assert.ok((await shown({ FORCE_COLOR: "1" })).includes("24,000 rows, 200 rows a second, changes until at 120"));
  });

  test("reports a failure of the service in one sentence with code 1", async () => {
    proxy.state.edits.before = (request) => (request > 2 ? problem(404, "not_found") : undefined);
    const { code, lastLine } = await copy("failed.duckdb");
    assert.equal(
      lastLine,
      "The service failed: 404 not_found A fault of the test. (request r-1). Run the command again later: it continues.",
    );
    assert.equal(code, 1);
  });
});

for (const format of ["duckdb", "sqlite", "csv"]) {
  test(`ticketing copy replaces a .${format} copy whose cursor has expired only when the new one is complete`, async () => {
    const target = `expired.${format}`;
    const database = join(command.directory, format === "csv" ? `${target}/.copy.duckdb` : target);
    const order = stageOrder(5_000);
    await stage.put(order);
    await assertRuns(target);
    const before = await expectedTables();
    // As if the deletion were no longer shown.
    await deleteItems([{ ...itemKeys.order(organisationId, order.data.id) }]);
    const expired = problem(410, "cursor_expired");
    const { child, ended } = await startHeld(target, (request) =>
      request === 1 ? expired : request < 4 ? undefined : "held",
    );
    child.kill("SIGKILL");
    await ended;
    assert.ok(existsSync(`${database}.new`));
    await assertCopied(target, before);
    release();
    await assertRuns(target);
    await assertCopied(target, await expectedTables());
    assert.ok(!existsSync(`${database}.new`));
    assert.equal(await assertRuns(target), 0);
  });
}
