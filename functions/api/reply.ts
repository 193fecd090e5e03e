/** An endpoint's response body, with headers for this response only. */
export class Reply<Body> {
  readonly body: Body;
  readonly headers: Record<string, string>;

  constructor(body: Body, headers: Record<string, string> = {}) {
    this.body = body;
    this.headers = headers;
  }
}
