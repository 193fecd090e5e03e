import type { Endpoint } from "../api/endpoint.ts";
import { endpoints } from "../endpoints/index.ts";
import { mcp } from "./mcp.ts";

/** Everything behind the gateway: the endpoints of the OpenAPI document, and the MCP server. */
export const routes: readonly Endpoint[] = [...endpoints, mcp];
