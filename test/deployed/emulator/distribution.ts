import { Agent, createServer, type IncomingMessage, type RequestOptions, request } from "node:http";
import { pipeline } from "node:stream";
import { type EdgeResult, type HeaderValue, runInNjs } from "../../support/aws/edgeFunction.ts";
import { listen } from "../../support/http/listen.ts";

/** The number of concurrent requests: the emulator keeps a process or two for each, and they share this machine. */
const maximumRequests = 4;

export interface Front {
  /** The address in the emulator of the API's stage. */
  stageUrl: string;
  /** The distribution's function. */
  functionCode: string;
}

/**
 * Replaces the emulator's CloudFront, which runs functions in Node, without `rawQueryString`, and cannot reach an API at an AWS address. The
 * function gets every request first; what it does not respond to goes to the API's stage.
 *
 * @param front is known only after the deployment, so it is asked at each request.
 */
export async function startDistribution(front: () => Front): Promise<string> {
  const agent = new Agent({ maxSockets: maximumRequests });
  const server = createServer((incoming, outgoing) => {
    const { url = "", method } = incoming;
    if (!url.startsWith("/")) return outgoing.writeHead(400).end();
    const { stageUrl, functionCode } = front();
    const { thrown, statusCode, uri, headers } = runFunction(functionCode, incoming);
    // As CloudFront does (https://docs.aws.amazon.com/AmazonCloudFront/latest/DeveloperGuide/troubleshooting-response-errors.html).
    if (thrown) return outgoing.writeHead(503).end(thrown);
    if (statusCode) return outgoing.writeHead(statusCode, headersOf(headers)).end();
    const { hostname, port, pathname } = new URL(stageUrl);
    const { host: _ofDistribution, ...others } = headersOf(headers);
    const path = pathname.replace(/\/$/, "") + uri + url.slice(url.split("?", 1)[0]?.length);
    // Each request has its own connection: the emulator may close one just when another request is on its way. Without this header, the agent
    // uses a connection again while requests wait for one.
    const options = { agent, hostname, port, path, method, headers: { ...others, connection: "close" } };
    const onwards = requestOf(options);
    if (onwards === undefined) return outgoing.writeHead(400).end();
    onwards.on("response", (answer) => {
      const { connection: _ofEmulator, ...answered } = answer.headers;
      outgoing.writeHead(answer.statusCode ?? 502, answered);
      pipeline(answer, outgoing, () => undefined);
    });
    // A client that disconnects leaves no request behind.
    pipeline(incoming, onwards, (error) => error && outgoing.destroy());
  });
  // As in the local gateway: after Node's default of 5 s, the next request of a client that pauses could be reset.
  server.keepAliveTimeout = 60_000;
  return listen(server);
}

/** A response, the request to forward, or `thrown`, also for code that njs rejects: CloudFront deploys that too. */
function runFunction(code: string, { url = "", method = "", headersDistinct, socket }: IncomingMessage): EdgeResult {
  const [uri = "", ...query] = url.split("?");
  const headers = Object.entries(headersDistinct).map(([name, lines = []]): [string, HeaderValue] => {
    const [value = "", ...others] = lines;
    return [name, { value, ...(others.length > 0 && { multiValue: lines.map((line) => ({ value: line })) }) }];
  });
  const event = {
    viewer: { ip: socket.remoteAddress ?? "" },
    request: { method, uri, querystring: {}, headers: Object.fromEntries(headers), cookies: {} },
    query: query.length > 0 ? query.join("?") : undefined,
  };
  try {
    return runInNjs(code, [event])[0];
  } catch (error) {
    return { thrown: String(error) };
  }
}

function headersOf(headers: Record<string, HeaderValue>): Record<string, string | string[]> {
  return Object.fromEntries(
    Object.entries(headers).map(([name, { value, multiValue }]) => [
      name,
      multiValue ? multiValue.map((line) => line.value) : value,
    ]),
  );
}

/** The request, or undefined if what the client sent cannot be forwarded. */
function requestOf(options: RequestOptions) {
  try {
    return request(options);
  } catch {
    return undefined;
  }
}
