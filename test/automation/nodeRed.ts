import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { execPath } from "node:process";
import { freePort } from "../support/http/listen.ts";
import { send, textOf } from "../support/http/send.ts";
import { until } from "../support/service/until.ts";
import { temporaryDirectory } from "../support/temporaryDirectory.ts";

// The node_modules with Node-RED.
const { NODE_RED = "" } = process.env;
const started = "Started flows";

/** Node-RED in a directory of its own, without a browser. @param settings lines of its `settings.js`. */
export async function startNodeRed(settings: string) {
  const directory = temporaryDirectory();
  const port = await freePort();
  const baseUrl = `http://127.0.0.1:${port}`;
  await writeFile(join(directory, "settings.js"), `module.exports = { uiHost: "127.0.0.1", ${settings} };`);
  let output = "";
  let child = start();

  function start() {
    const words = ["node-red/red.js", "--no-telemetry", "--userDir", directory, "--port", String(port), "flows.json"];
    const process = spawn(execPath, words, { cwd: NODE_RED, stdio: ["ignore", "pipe", "inherit"] });
    process.stdout.on("data", (text) => {
      output += text;
    });
    return process;
  }

  /** Waits until Node-RED has printed a text since the last call. */
  async function printed(text: string): Promise<void> {
    await until(async () => {
      assert.equal(child.exitCode, null, output);
      return output.includes(text);
    });
    output = output.slice(output.indexOf(text) + text.length);
  }

  async function post(path: string, value: unknown = {}): Promise<void> {
    const headers = { "Content-Type": "application/json" };
    const answer = await send(baseUrl + path, { method: "POST", headers, body: JSON.stringify(value) });
    assert.ok(answer.status < 300, `${path}: ${answer.status} ${textOf(answer)}`);
  }

  async function stop(): Promise<void> {
    if (child.exitCode === null && child.kill()) await once(child, "exit");
  }

  await printed(started);
  return {
    port,
    directory,
    printed,
    /** Replaces all flows, as the button *Deploy* does. */
    async deploy(flow: object[]): Promise<void> {
      await post("/flows", flow);
      await printed(started);
    },
    /** Presses the button of an Inject node. */
    press: (id: string) => post(`/inject/${id}`),
    stop,
    /** @param whileStopped runs before the start. */
    async restart(whileStopped = async () => {}): Promise<void> {
      await stop();
      await whileStopped();
      child = start();
      await printed(started);
    },
  };
}
