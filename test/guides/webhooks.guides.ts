import assert from "node:assert/strict";
import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { createInterface } from "node:readline";
import { afterAll, test } from "@jest/globals";
import { createWebhook } from "../../functions/endpoints/createWebhook.ts";
import { deleteWebhook } from "../../functions/endpoints/deleteWebhook.ts";
import { updateOrder } from "../../functions/endpoints/updateOrder.ts";
import { examplePaths, withId } from "../support/http/examples.ts";
import { send, textOf } from "../support/http/send.ts";
import { installClient } from "../support/package/installedClient.ts";
import { adminOne, baseUrl, writerOne } from "../support/service/journeyService.ts";
import { exampleIn, receiverGuide } from "./guideExamples.ts";

// Receivers listen on the port that the guide has, one after the other.
const receiverUrl = "http://localhost:8080/";
const project = await installClient();
const directory = await mkdtemp(join(tmpdir(), "ticketing-receiver-"));
const pythonPackages = join(directory, "packages");
const pip = ["-m", "pip", "install", "--quiet", "--no-compile", "--target", pythonPackages];
execFileSync("python3", [...pip, "standardwebhooks==1.1.0"]);
await symlink(join(project.directory, "node_modules"), join(directory, "node_modules"));
await writeFile(join(directory, "package.json"), '{"type":"module"}');
afterAll(() => Promise.all([project.remove(), rm(directory, { recursive: true })]));

const receivers = {
  ts: { file: "receiver.ts", sync: "sync.ts", mirror: "mirror.json", program: process.execPath },
  python: { file: "receiver.py", sync: "sync.py", mirror: "mirror.db", program: "python3" },
} as const;

for (const language of ["ts", "python"] as const) {
  test(`the ${language} receiver refuses a forged message, and syncs the change that a message reports`, async () => {
    const { file, sync, mirror, program } = receivers[language];
    await writeFile(join(directory, file), await exampleIn(receiverGuide, language));
    await writeFile(join(directory, sync), await exampleIn("incremental-sync", language));
    const body = JSON.stringify({ url: receiverUrl, types: ["order"] });
    const created = JSON.parse(textOf(await adminOne.call(createWebhook, createWebhook.path, { body })));
    const env = {
      ...{ PATH: `${resolve("node_modules/.bin")}:${process.env.PATH}`, BASE_URL: baseUrl },
      ...{ API_KEY: writerOne.credential, WEBHOOK_SECRET: created.secret },
      PYTHONPATH: pythonPackages,
    };
    const receiver = spawn(program, [file], { cwd: directory, env, stdio: ["ignore", "pipe", "inherit"] });
    try {
      const lines = linesOf(receiver);
      assert.equal(await lines.next(), "listening");
      const forged = { "webhook-id": "msg_1", "webhook-timestamp": "1", "webhook-signature": "v1,AAAA" };
      assert.equal((await send(receiverUrl, { method: "POST", headers: forged, body: "{}" })).status, 400);
      const [order = ""] = await examplePaths(updateOrder, writerOne);
      const note = `Webhook for ${language} ${created.id}`;
      const changed = await writerOne.call(updateOrder, order, { body: JSON.stringify({ admin_note: note }) });
      assert.equal(changed.status, 200);
      // An earlier change of another order may be reported first.
      do while ((await lines.next()) !== "synced");
      while (!(await readFile(join(directory, mirror))).includes(note));
    } finally {
      receiver.kill();
      await once(receiver, "close");
      await adminOne.call(deleteWebhook, withId(deleteWebhook, created.id));
    }
  });
}

function linesOf({ stdout }: ChildProcess) {
  if (!stdout) throw new Error("The receiver has no output.");
  const iterator = createInterface({ input: stdout })[Symbol.asyncIterator]();
  return { next: async () => (await iterator.next()).value as string | undefined };
}
