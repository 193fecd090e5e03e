import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { afterAll } from "@jest/globals";
import * as z from "zod";
import { send, textOf } from "../support/http/send.ts";
import { temporaryDirectory } from "../support/temporaryDirectory.ts";
import type { Run } from "./n8nProcess.ts";

const Item = z.record(z.string(), z.unknown());

/** A workflow as far as tests change it. */
export const Workflow = z.looseObject({
  nodes: z.array(
    z.looseObject({
      name: z.string(),
      type: z.string(),
      parameters: Item,
      credentials: z.record(z.string(), z.object({ id: z.string().nullable(), name: z.string() })).optional(),
    }),
  ),
  connections: Item,
  settings: Item,
  pinData: z.record(z.string(), z.array(z.object({ json: z.looseObject({ event_id: z.int() }) }))),
});
export type Workflow = z.infer<typeof Workflow>;

/** The items of each node by its name, of all its runs, an error if the execution failed, and the static data that n8n would store. */
const Execution = z.object({
  items: z.record(z.string(), z.array(Item)),
  error: z.string().optional(),
  staticData: Item,
});

/** Starts n8n's engine and nodes, which N8N_NODES contains, in a process of their own. */
export async function startN8n() {
  const folder = { N8N_USER_FOLDER: temporaryDirectory() };
  const child = spawn(process.execPath, [new URL("n8nProcess.ts", import.meta.url).pathname], {
    env: { ...process.env, ...folder },
    stdio: ["ignore", "pipe", "inherit"],
  });
  afterAll(() => void child.kill());
  const lines = createInterface({ input: child.stdout });
  const [port] = await Promise.race([once(lines, "line"), once(child, "exit").then(() => assert.fail("n8n ended."))]);
  const url = `http://127.0.0.1:${port}`;
  const call = async (path: string, run?: Run) => {
    const request = run && { method: "POST", body: JSON.stringify(run) };
    return JSON.parse(textOf(await send(url + path, request)));
  };
  return {
    webhookUrl: `${url}/webhook`,
    /** Runs a workflow from a trigger, and keeps its static data. */
    async run(workflow: Workflow, start: string, state: Pick<Run, "staticData" | "items"> = { staticData: {} }) {
      const execution = Execution.parse(await call("/run", { workflow, start, ...state }));
      state.staticData = execution.staticData;
      return execution;
    },
    /** Lets a workflow receive messages. */
    activate: (workflow: Workflow, start: string) => call("/active", { workflow, start, staticData: {} }),
    executions: async () => z.array(Execution).parse(await call("/executions")),
  };
}
