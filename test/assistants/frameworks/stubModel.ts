import { createServer } from "node:http";
import { json } from "node:stream/consumers";
import { portOf } from "@ticketing/local-aws/gateway";
import * as z from "zod";
import { listen } from "../../support/http/listen.ts";

/** A call that the model makes. */
export interface Call {
  name: string;
  values: object;
}

/** Everything that a framework gave to the model. */
export interface Given {
  /** The tools, as in the requests. */
  tools: unknown[];
  /** The answer to each call, as the model reads it. */
  answers: string[];
}

const OpenAiRequest = z.object({
  messages: z.array(z.looseObject({ content: z.unknown().optional() })),
  tools: z.array(z.looseObject({ function: z.looseObject({ name: z.string() }) })),
});
const GeminiRequest = z.object({
  contents: z.array(z.looseObject({ parts: z.array(z.unknown()) })),
  tools: z.array(z.looseObject({ functionDeclarations: z.array(z.looseObject({ name: z.string() })) })),
});

interface Turn extends Given {
  names: string[];
  /** The text of the last call's answer. */
  last: string;
}

/**
 * A server in place of a model, in the formats of OpenAI and Gemini. It makes the calls of a script one after the other, whatever the answers are,
 * and records what it is given.
 * @returns the address for a run, and what its model was given.
 */
export async function stubModel(script: readonly Call[]) {
  const runs = new Map<string, Given & { turns: number }>();
  const server = createServer(async (incoming, outgoing) => {
    const { url = "" } = incoming;
    const [, name = ""] = url.split("/");
    const isGemini = url.includes("generateContent");
    const { tools, names, last } = isGemini ? geminiTurn(await json(incoming)) : openAiTurn(await json(incoming));
    const run = runs.get(name) ?? { tools, answers: [], turns: 0 };
    runs.set(name, run);
    if (run.turns > 0) run.answers.push(last);
    const call = script[run.turns] ?? endIn(names);
    run.turns += 1;
    // Some frameworks put their server's name before the tool's.
    const called = call && { ...call, name: names.find((name) => name.endsWith(call.name)) ?? call.name };
    outgoing.setHeader("Content-Type", "application/json");
    outgoing.end(JSON.stringify(isGemini ? geminiAnswer(called) : openAiAnswer(run.turns, called)));
  });
  await listen(server);
  return {
    urlOf: (run: string) => `http://localhost:${portOf(server)}/${run}`,
    givenIn: (run: string): Given => runs.get(run) ?? { tools: [], answers: [] },
  };
}

/** A tool that ends a run in smolagents; elsewhere, a text does. */
function endIn(names: readonly string[]): Call | undefined {
  return names.includes("final_answer") ? { name: "final_answer", values: { answer: "Done." } } : undefined;
}

function openAiTurn(body: unknown): Turn {
  const { messages, tools } = OpenAiRequest.parse(body);
  const last = textOf(messages.at(-1)?.content);
  return { tools, answers: [], names: tools.map((one) => one.function.name), last };
}

function textOf(content: unknown): string {
  if (typeof content === "string") return content;
  return Array.isArray(content) ? content.map((part) => Object(part).text ?? JSON.stringify(part)).join("\n") : "";
}

function openAiAnswer(turn: number, call: Call | undefined) {
  const made = call && { name: call.name, arguments: JSON.stringify(call.values) };
  const message = made
    ? { role: "assistant", content: null, tool_calls: [{ id: `call_${turn}`, type: "function", function: made }] }
    : { role: "assistant", content: "Done." };
  const choices = [{ index: 0, message, finish_reason: made ? "tool_calls" : "stop" }];
  const usage = { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 };
  return { id: `turn_${turn}`, object: "chat.completion", created: 1, model: "stub", choices, usage };
}

function geminiTurn(body: unknown): Turn {
  const { contents, tools } = GeminiRequest.parse(body);
  const declared = tools.flatMap(({ functionDeclarations }) => functionDeclarations);
  const last = JSON.stringify(contents.at(-1)?.parts.map((part) => Object(part).functionResponse?.response));
  return { tools: declared, answers: [], names: declared.map(({ name }) => name), last };
}

function geminiAnswer(call: Call | undefined) {
  const part = call ? { functionCall: { name: call.name, args: call.values } } : { text: "Done." };
  return { candidates: [{ content: { role: "model", parts: [part] }, finishReason: "STOP" }] };
}
