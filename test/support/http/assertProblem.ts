import assert from "node:assert/strict";
import * as z from "zod";
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
  request_id: z.string().min(1),
});
type ProblemBody = z.infer<typeof ProblemBody>;

/** Asserts that a response is a complete problem whose parts agree, with the given code if any. */
export function assertProblem(answer: Answer, code?: ProblemCode): ProblemBody {
  const text = textOf(answer);
  const { data: problem, error } = ProblemBody.safeParse(JSON.parse(text));
  assert.ok(problem, `${text.slice(0, 300)} ${error}`);
  assert.equal(problem.code, code ?? problem.code, text);
  const { status, title } = problemCodes[problem.code];
  assert.deepEqual([answer.status, problem.status, problem.title], [status, status, title]);
  assert.equal(answer.headers["content-type"], "application/problem+json");
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
