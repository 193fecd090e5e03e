/** A bundle and the event that it gets. */
interface Step {
  directory: string;
  event: Record<string, unknown> & { requestContext?: object };
}

export interface Request {
  /** Its context goes into the function's event. */
  authorizer?: Step;
  function: Step;
}

/** Calls the authorizer, if there is one, and then the function, and returns its body. @throws Error if it fails. */
export async function makeRequest(request: Request): Promise<string> {
  const authorization = request.authorizer && (await call(request.authorizer, {}));
  const { statusCode, body } = await call(request.function, authorization?.context);
  if (statusCode >= 300) throw new Error(`A request returned ${statusCode}: ${body}`);
  return body;
}

async function call({ directory, event }: Step, authorizer: unknown) {
  // Node keeps what it has imported.
  const { handler } = await import(`${directory}/index.js`);
  const requestContext = { ...event.requestContext, authorizer };
  return handler({ ...event, requestContext }, { getRemainingTimeInMillis: () => 8_000 });
}
