// Calls a tool and lists the tools with the official TypeScript client, in a mode. Prints both as JSON.
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";

const { BASE_URL, API_KEY } = process.env;
const [mode] = process.argv.slice(2);
const client = new Client({ name: "assistants", version: "1" }, { versionNegotiation: { mode } });
const requestInit = { headers: { Authorization: `Bearer ${API_KEY}` } };
await client.connect(new StreamableHTTPClientTransport(new URL(`${BASE_URL}/mcp`), { requestInit }));
const { content } = await client.callTool({ name: "list_events", arguments: { per_page: 2 } });
const { tools } = await client.listTools();
process.stdout.write(JSON.stringify({ answer: content[0].text, tools: tools.map(({ name }) => name) }));
await client.close();
