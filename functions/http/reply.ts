/** What an endpoint answers with: the response's body, and headers that only this answer has. */
export class Reply<Body> {
  readonly body: Body;
  readonly headers: Record<string, string>;

  constructor(body: Body, headers: Record<string, string> = {}) {
    this.body = body;
    this.headers = headers;
  }
}
