/** A bundle and the event that its function gets; without one, the bundle is only loaded. */
export interface Step {
  directory: string;
  event?: Record<string, unknown> & { requestContext?: object };
}

/** The functions of a request, in order: usually the authorizer, whose context goes into the last one's event. */
export type Request = readonly Step[];

/** What a function returns: an authorizer's decision, or a response. */
interface Answer {
  context?: object;
  statusCode?: number;
  body: string;
}

/** Calls the functions of a request one after the other. @returns the last one's answer. @throws Error if it fails. */
export async function makeRequest(request: Request): Promise<Answer> {
  let answer: Answer = { body: "" };
  for (const { directory, event } of request) {
    // Node keeps what it has imported.
    const { handler } = await import(`${directory}/index.js`);
    if (event === undefined) continue;
    const requestContext = { ...event.requestContext, ...(answer.context && { authorizer: answer.context }) };
    answer = await handler({ ...event, requestContext }, { getRemainingTimeInMillis: () => 8_000 });
  }
  if ((answer.statusCode ?? 0) >= 300) throw new Error(`A request returned ${answer.statusCode}: ${answer.body}`);
  return answer;
}
