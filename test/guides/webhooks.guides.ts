import assert from "node:assert/strict";
import { type ChildProcess, spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { readFile, rm, writeFile } from "node:fs/promises";
import { delimiter, join } from "node:path";
import { createInterface } from "node:readline";
import { test } from "@jest/globals";
import { Webhook } from "standardwebhooks";
import { createWebhook } from "../../functions/endpoints/createWebhook.ts";
import { deleteWebhook } from "../../functions/endpoints/deleteWebhook.ts";
import { updateOrder } from "../../functions/endpoints/updateOrder.ts";
import { examplePaths, withId } from "../support/http/examples.ts";
import { send, textOf } from "../support/http/send.ts";
import { adminOne, baseUrl, writerOne } from "../support/service/testedService.ts";
import { exampleIn, followGuide, guideText, integratorEnvironment, receiverGuide } from "./guideExamples.ts";

// Receivers listen on the guide's port, one after another.
const receiverUrl = "http://localhost:8080/";
/** A receiver that prints nothing must not keep a test waiting. */
const outputMs = 120_000;
const mirrors = { ts: "mirror.json", python: "mirror.db" };
const [ts, python] = await Promise.all([follow("ts"), follow("python")]);
const receivers = { ts, python };

/** Follows the guide, and returns the path of the sync that its receiver runs. */
async function follow(language: keyof typeof mirrors) {
  const receiver = await followGuide(receiverGuide, language, { BASE_URL: baseUrl, API_KEY: writerOne.credential });
  const { file, code } = await exampleIn("incremental-sync", language);
  return { ...receiver, sync: join(receiver.directory, file), code };
}

/** Starts the guide's receiver. */
function startReceiver(language: keyof typeof receivers, secret: string) {
  const receiver = receivers[language].start({ WEBHOOK_SECRET: secret });
  const closed = once(receiver, "close");
  const stop = async () => {
    if (receiver.exitCode === null) process.kill(-(receiver.pid ?? assert.fail()));
    await closed;
  };
  return { lines: linesOf(receiver), stop };
}

for (const language of ["ts", "python"] as const) {
  test(`the ${language} receiver refuses a forged message with the reason, and syncs a reported change`, async () => {
    const { directory, sync, code } = receivers[language];
    await writeFile(sync, code);
    const body = JSON.stringify({ url: receiverUrl, types: ["order"] });
    const created = JSON.parse(textOf(await adminOne.call(createWebhook, createWebhook.path, { body })));
    const { lines, stop } = startReceiver(language, created.secret);
    try {
      assert.equal(await lines.next(), "listening");
      const forged = { "webhook-id": "msg_1", "webhook-timestamp": "1", "webhook-signature": "v1,AAAA" };
      assert.equal((await send(receiverUrl, { method: "POST", headers: forged, body: "{}" })).status, 400);
      // The sync at the start may be reported first.
      let line = await lines.next();
      if (line === "synced") line = await lines.next();
      assert.match(line, /^refused: .*timestamp too old/i);
      const [order = ""] = await examplePaths(updateOrder, writerOne);
      const note = `Webhook for ${language} ${created.id}`;
      const changed = await writerOne.call(updateOrder, order, { body: JSON.stringify({ admin_note: note }) });
      assert.equal(changed.status, 200);
      // An earlier change of another order may be reported first.
      do while ((await lines.next()) !== "synced");
      while (!(await readFile(join(directory, mirrors[language]))).includes(note));
    } finally {
      await stop();
      await adminOne.call(deleteWebhook, withId(deleteWebhook, created.id));
    }
  });

  test(`the ${language} receiver responds while a sync is running, and syncs again after it`, async () => {
    const { directory, sync } = receivers[language];
    const until = {
      ts: 'import { existsSync } from "node:fs"; while (!existsSync("go")) await new Promise((resolve) => setTimeout(resolve, 20));',
      python: 'import os, time\nwhile not os.path.exists("go"):\n    time.sleep(0.02)\n',
    };
    await writeFile(sync, until[language]);
    const secret = `whsec_${Buffer.alloc(32, 7).toString("base64")}`;
    const { lines, stop } = startReceiver(language, secret);
    try {
      assert.equal(await lines.next(), "listening");
      for (const id of ["msg_1", "msg_2", "msg_3"]) assert.equal((await post(id, secret)).status, 204);
      await writeFile(join(directory, "go"), "");
      for (let runs = 0; runs < 2; runs++) assert.equal(await lines.next(), "synced");
    } finally {
      await stop();
      await rm(join(directory, "go"), { force: true });
    }
  });
}

/** Posts a message with the present time, signed with this secret. */
function post(id: string, secret: string) {
  const [sent, body] = [new Date(), JSON.stringify({ type: "test" })];
  const headers = {
    "webhook-id": id,
    "webhook-timestamp": String(Math.floor(sent.getTime() / 1_000)),
    "webhook-signature": new Webhook(secret).sign(id, sent, body),
  };
  return send(receiverUrl, { method: "POST", headers, body });
}

/** Starts the guide's command that posts messages without a webhook. */
async function startListening(secret: string) {
  const [, command = assert.fail()] =
    /^```sh\n(uvx .* ticketing listen .*)\n```$/m.exec(await guideText(receiverGuide)) ?? [];
  assert.ok(command.endsWith(receiverUrl));
  const uv = process.env.uv === undefined ? [] : [join(process.env.uv, "bin")];
  const PATH = [...uv, integratorEnvironment.PATH].join(delimiter);
  const variables = { PATH, BASE_URL: baseUrl, API_KEY: writerOne.credential, WEBHOOK_SECRET: secret };
  const child = spawn(command, {
    env: { ...integratorEnvironment, ...variables },
    shell: true,
    detached: true,
    stdio: ["ignore", "pipe", "inherit"],
  });
  return { lines: linesOf(child), stop: () => process.kill(-(child.pid ?? assert.fail()), "SIGINT") };
}

for (const language of ["ts", "python"] as const) {
  test(`the ${language} receiver syncs a change that ticketing listen posts, and refuses another secret's message`, async () => {
    const { directory, sync, code } = receivers[language];
    await writeFile(sync, code);
    const secret = `whsec_${Buffer.alloc(32, language).toString("base64")}`;
    const { lines, stop } = startReceiver(language, secret);
    const listening = await startListening(secret);
    try {
      assert.equal(await lines.next(), "listening");
      assert.equal(await listening.lines.next(), `Signing secret: ${secret}`);
      assert.match(await listening.lines.next(), /^Forwarding the changes of organisation 1 to /);
      const [order = ""] = await examplePaths(updateOrder, writerOne);
      const note = `Listen for ${language} ${randomUUID()}`;
      const changed = await writerOne.call(updateOrder, order, { body: JSON.stringify({ admin_note: note }) });
      assert.equal(changed.status, 200);
      assert.match(await listening.lines.next(), / changes: 204 in \d+ ms$/);
      do while ((await lines.next()) !== "synced");
      while (!(await readFile(join(directory, mirrors[language]))).includes(note));
      assert.equal((await post("msg_1", `whsec_${Buffer.alloc(32, "forged").toString("base64")}`)).status, 400);
      let line = await lines.next();
      while (line === "synced") line = await lines.next();
      assert.match(line, /^refused: /);
    } finally {
      listening.stop();
      await stop();
    }
  });
}

function linesOf({ stdout }: ChildProcess) {
  if (!stdout) throw new Error("The receiver has no output.");
  const iterator = createInterface({ input: stdout, signal: AbortSignal.timeout(outputMs) })[Symbol.asyncIterator]();
  return {
    next: async () => {
      const { value, done } = await iterator.next();
      assert.ok(!done, "The receiver printed no further line.");
      return value;
    },
  };
}
