// npm install ai@7.0.173 @ai-sdk/mcp@2.0.99 @ai-sdk/openai-compatible@3.0.92
import { createMCPClient } from "@ai-sdk/mcp";
import { createOpenAICompatible } from "@ai-sdk/openai-compatible";
import { generateText, stepCountIs } from "ai";

const { BASE_URL, API_KEY, MODEL_URL } = process.env;
const transport = { type: "http", url: `${BASE_URL}/mcp`, headers: { Authorization: `Bearer ${API_KEY}` } };
const client = await createMCPClient({ transport });
const model = createOpenAICompatible({ name: "stub", baseURL: `${MODEL_URL}/v1`, apiKey: "stub" })("stub");
await generateText({ model, tools: await client.tools(), prompt: "Start.", stopWhen: stepCountIs(20) });
await client.close();
