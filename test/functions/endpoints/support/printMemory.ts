import { endpoints } from "../../../../functions/endpoints/index.ts";
import { invoke, ofQuery } from "../../../support/http/invoke.ts";

/*
 * Runs one list endpoint's function in a process of its own, and prints the length of its response and the most memory that the process had.
 * Arguments: the operation's id, and the query as JSON.
 */
const [operationId, query = "{}"] = process.argv.slice(2);
const endpoint = endpoints.find((one) => one.operationId === operationId);
if (!endpoint) throw new Error(`No endpoint is called ${operationId}.`);
const response = await invoke(endpoint, ofQuery(JSON.parse(query)));
if (response.statusCode !== 200) throw new Error(response.body);
const { data, pagination } = JSON.parse(response.body);
const payloadBytes = Buffer.byteLength(JSON.stringify(response));
const memoryBytes = process.resourceUsage().maxRSS * 1024;
console.log(JSON.stringify({ rows: data.length, hasMore: pagination.has_more, payloadBytes, memoryBytes }));
