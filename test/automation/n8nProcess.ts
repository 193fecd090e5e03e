/**
 * n8n's own nodes and engine without its server, which needs a database. Serves, on a free port that it prints:
 * - `POST /run` runs a workflow from a trigger. The credentials are the workflow's ids.
 * - `PUT /active` activates a workflow's Webhook node.
 * - `POST /webhook` sends a message to that node, and runs the workflow.
 * - `GET /executions` returns what those runs did.
 */
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { createRequire } from "node:module";
import { join } from "node:path";
import { buffer, json } from "node:stream/consumers";
import { portOf } from "../../packages/local-aws/gateway/server.ts";

const { N8N_NODES = "" } = process.env;
const requireNode = createRequire(join(N8N_NODES, "packages.js"));
const { ExecutionLifecycleHooks, WebhookContext, WorkflowExecute } = requireNode("n8n-core");
const { createRunExecutionData, NodeHelpers, Workflow } = requireNode("n8n-workflow");
// The package does not export it.
const { JsTaskRunner } = requireNode(join(N8N_NODES, "@n8n/task-runner/dist/js-task-runner/js-task-runner.js"));
const known = requireNode("n8n-nodes-base/dist/known/nodes.json");

export interface Run {
  workflow: { nodes: { name: string; type: string }[]; connections: object; settings: object };
  /** The name of a trigger. */
  start: string;
  /** The trigger's items, by default one. */
  items?: object[];
  staticData: object;
}

function nodeType(type: string, version?: number) {
  const { className, sourcePath } = known[type.replace("n8n-nodes-base.", "")];
  return NodeHelpers.getVersionedNodeType(new (requireNode(`n8n-nodes-base/${sourcePath}`)[className])(), version);
}

function workflowOf({ workflow, staticData }: Pick<Run, "workflow" | "staticData">) {
  const nodeTypes = { getByName: nodeType, getByNameAndVersion: nodeType };
  const types = workflow.nodes.map(({ type }) => type);
  const isTooMany = (type: string) => types.filter((one) => one === type).length > nodeType(type).description.maxNodes;
  // As n8n's editor does when it imports a workflow, but it drops them without an error.
  if (types.some(isTooMany)) throw new Error(`Too many nodes of one type: ${types.filter(isTooMany)}`);
  return new Workflow({ id: "1", name: "Test", active: true, ...workflow, nodeTypes, staticData });
}

/** The id of a credential is its secret. */
const credentialsHelper = {
  getParentTypes: () => [],
  preAuthentication: () => undefined,
  isCredentialUsableByNode: () => true,
  getDecrypted: async (_data: unknown, { id }: { id: string }, type: string) =>
    type === "crypto" ? { hmacSecret: id } : { token: id },
  authenticate: async (credentials: { token: string }, _type: string, request: { headers?: object }) => ({
    ...request,
    headers: { ...request.headers, Authorization: `Bearer ${credentials.token}` },
  }),
};

/** Runs a Code node's program in the sandbox of n8n's task runner, which is another process in n8n. */
async function startRunnerTask(...[additionalData, , settings, , inputData, node, workflow, ...others]: unknown[]) {
  const [runExecutionData, runIndex, itemIndex, activeNodeName, connectionInputData, siblingParameters] = others;
  const [mode, envProviderState, executeData] = others.slice(6);
  const names = { activeNodeName, contextNodeName: activeNodeName };
  const run = { runExecutionData, runIndex, itemIndex, defaultReturnRunIndex: -1, mode, ...names };
  const data = {
    additionalData,
    inputData,
    node,
    connectionInputData,
    siblingParameters,
    envProviderState,
    executeData,
  };
  const runner = Object.assign(Object.create(JsTaskRunner.prototype), { mode: "secure", taskTimeout: 60 });
  try {
    const { signal } = new AbortController();
    const result = await runner.runForAllItems("1", settings, { ...data, ...run, selfData: {} }, workflow, signal);
    return { ok: true, result };
  } catch (error) {
    return { ok: false, error };
  }
}

function additionalDataOf(workflow: object, mode: string) {
  const hooks = new ExecutionLifecycleHooks(mode, "1", workflow);
  const [webhookWaitingBaseUrl, formWaitingBaseUrl] = ["http://localhost/waiting", "http://localhost/form"];
  const urls = { webhookWaitingBaseUrl, formWaitingBaseUrl };
  const run = { executionId: "1", variables: {}, currentNodeExecutionIndex: 0 };
  return { hooks, credentialsHelper, startRunnerTask, ...urls, ...run };
}

async function execute(workflow: typeof Workflow, mode: string, node: object, main: object, additionalData: object) {
  const nodeExecutionStack = [{ node, data: { main }, source: null }];
  const data = createRunExecutionData({ executionData: { nodeExecutionStack } });
  const result = await new WorkflowExecute(additionalData, mode, data).processRunExecutionData(workflow);
  const { runData, error } = result.data.resultData;
  const itemsOf = (runs: { data?: { main: ({ json: object }[] | null)[] } }[]) =>
    runs.flatMap(({ data }) => (data?.main ?? []).flatMap((items) => (items ?? []).map(({ json }) => json)));
  return {
    items: Object.fromEntries(Object.entries(runData).map(([name, runs]) => [name, itemsOf(runs as never)])),
    error: error && `${error.node?.name}: ${error.message} ${error.description ?? ""}`,
    staticData: workflow.staticData,
  };
}

function run({ start, items = [{}], ...others }: Run) {
  const workflow = workflowOf(others);
  const node = workflow.getNode(start);
  return execute(workflow, "trigger", node, [items.map((json) => ({ json }))], additionalDataOf(workflow, "trigger"));
}

let active: Run;
const executions: unknown[] = [];

/** Does what n8n's server does with a request to a Webhook node. */
async function receive(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
  const workflow = workflowOf(active);
  const node = workflow.getNode(active.start);
  const rawBody = await buffer(incoming);
  const parsed = { rawBody, body: JSON.parse(String(rawBody)), contentType: "application/json", params: {}, query: {} };
  const additionalData = {
    ...additionalDataOf(workflow, "webhook"),
    httpRequest: Object.assign(incoming, parsed),
    httpResponse: outgoing,
  };
  additionalData.hooks.addHandler("sendResponse", ({ statusCode }: { statusCode: number }) =>
    outgoing.writeHead(statusCode).end(),
  );
  const { description, webhook } = nodeType(node.type, node.typeVersion);
  const data = { webhookDescription: description.webhooks[0] };
  const context = new WebhookContext(workflow, node, additionalData, "webhook", data, [], null);
  const { workflowData } = await webhook.call(nodeType(node.type, node.typeVersion), context);
  executions.push(await execute(workflow, "webhook", node, workflowData, additionalData));
}

async function answer(incoming: IncomingMessage): Promise<unknown> {
  if (incoming.url === "/executions") return executions;
  const given = (await json(incoming)) as Run;
  if (incoming.url === "/run") return run(given);
  active = given;
  return {};
}

const server = createServer(async (incoming, outgoing) => {
  try {
    if (incoming.url === "/webhook") await receive(incoming, outgoing);
    else outgoing.end(JSON.stringify(await answer(incoming)));
  } catch (error) {
    console.error(error);
    outgoing.destroy();
  }
});
server.listen(0, "127.0.0.1", () => console.log(portOf(server)));
