import assert from "node:assert/strict";
import * as z from "zod";
import { hashApiKey } from "../../../functions/keys/apiKeySecret.ts";
import { type ProblemCode, problemCodes } from "../../../functions/problem.ts";
import { type Answer, textOf } from "./send.ts";

const ProblemBody = z.strictObject({
  type: z.literal("about:blank"),
  title: z.string(),
  status: z.int(),
  code: z.enum(Object.keys(problemCodes) as ProblemCode[]),
  detail: z.string().min(1),
  errors: z
    .array(
      z.union([
        z.strictObject({ parameter: z.string(), detail: z.string() }),
        z.strictObject({ pointer: z.string(), detail: z.string() }),
      ]),
    )
    .max(20)
    .optional(),
  more_errors: z.int().positive().optional(),
  required_scope: z.string().optional(),
  key_id: z.string().optional(),
  request_id: z.string().min(1),
});
type ProblemBody = z.infer<typeof ProblemBody>;

/** The MCP server's errors have the problem as their data. */
const RpcError = z.strictObject({
  jsonrpc: z.literal("2.0"),
  id: z.union([z.string(), z.int()]).optional(),
  error: z.strictObject({ code: z.int(), message: z.string(), data: ProblemBody.loose() }),
});

/** Asserts that a response is a complete problem whose parts agree, with the given code if any. */
export function assertProblem(answer: Answer, code?: ProblemCode): ProblemBody {
  const text = textOf(answer);
  const body = JSON.parse(text);
  const rpc = "jsonrpc" in body ? RpcError.parse(body).error : undefined;
  if (rpc) assert.ok(rpc.message.startsWith(rpc.data.detail), text);
  const { data: problem, error } = rpc ? { data: rpc.data, error: "" } : ProblemBody.safeParse(body);
  assert.ok(problem, `${text.slice(0, 300)} ${error}`);
  assert.equal(problem.code, code ?? problem.code, text);
  const { status, title } = problemCodes[problem.code];
  assert.deepEqual([answer.status, problem.status, problem.title], [status, status, title]);
  assert.equal(answer.headers["content-type"], rpc ? "application/json" : "application/problem+json");
  assert.equal(answer.headers["cache-control"], "no-store");
  assert.equal(answer.headers["x-request-id"], problem.request_id);
  assertSecurityHeaders(answer);
  assert.equal("retry-after" in answer.headers, status === 503 || status === 429);
  return problem;
}

/** Asserts that the response forbids browsers to guess its type, and requires HTTPS. */
export function assertSecurityHeaders({ headers }: Pick<Answer, "headers">): void {
  assert.equal(headers["x-content-type-options"], "nosniff");
  assert.match(String(headers["strict-transport-security"]), /^max-age=\d{8}/);
}

/** Asserts that a request was refused because of exactly these query parameters. */
export function assertInvalidParameters(answer: Answer, ...parameters: string[]): void {
  const { errors = [] } = assertProblem(answer, "invalid_request");
  assert.deepEqual(new Set(errors.map((error) => "parameter" in error && error.parameter)), new Set(parameters));
}

/** Personal data that tests send, to find logs that keep it. */
export const personalData = ["ada.lovelace@example.org", "+44 20 7946 0958", "Ada Lovelace"];

/** A key beyond its prefix, the hash of a key, an encoded key, a token, a header that contains one, or an email address. */
const patterns = [
  /tsk_[0-9A-Za-z]{9,}/,
  /whsec_[\w+/=]{9,}/,
  /\b[0-9a-f]{64}\b/i,
  /dHNrX[0-9A-Za-z+/_-]{12,}/,
  /eyJ[\w-]+\.[\w-]+/,
  /\b(bearer|basic)\s+\S/i,
  /[\w.+-]+(@|%40)[\w-]+\.[a-z]{2,}/i,
];

/** The sensitive parts of a text: these keys, and anything that looks sensitive. */
export function findSensitive(text: string, keys: readonly string[]): string[] {
  const secrets = keys.flatMap((key) => {
    const hash = Buffer.from(hashApiKey(key), "hex");
    return [key.slice(12), ...(["hex", "base64", "base64url"] as const).map((encoding) => hash.toString(encoding))];
  });
  const exact = [...secrets, ...personalData.flatMap((data) => [data, encodeURIComponent(data)])];
  const found = patterns.flatMap((pattern) => pattern.exec(text)?.[0] ?? []);
  return [...exact.filter((secret) => text.includes(secret)), ...found];
}
