import { once } from "node:events";
import { createServer, type IncomingMessage } from "node:http";
import { text } from "node:stream/consumers";
import { listen } from "../http/listen.ts";

type Json = ReturnType<typeof JSON.parse>;

/** An error of AWS. */
export class Refusal {
  readonly code: string;
  readonly message: string;
  readonly status: number;

  constructor(code: string, message: string, status = 400) {
    this.code = code;
    this.message = message;
    this.status = status;
  }
}

/** The responses by action. An object becomes JSON, or XML where the service uses that. */
type Answers = Record<string, ((input: Json) => object) | object>;

interface FakeAws {
  answers: Answers;
  /** The actions that were called, in order. */
  calls: string[];
  /** Makes a command call this server. */
  environment: NodeJS.ProcessEnv;
  close(): Promise<void>;
}

/** Responds like several services of AWS, in each one's protocol. */
export async function startFakeAws(): Promise<FakeAws> {
  const fake = { answers: {} as Answers, calls: [] as string[] };
  const server = createServer(async (incoming, outgoing) => {
    const { action, input, isJson } = requestOf(incoming, await text(incoming));
    fake.calls.push(action);
    const answer = fake.answers[action] ?? new Refusal("UnknownOperation", `${action} has no response.`);
    const body = typeof answer === "function" ? outcomeOf(() => answer(input)) : answer;
    const status = body instanceof Refusal ? body.status : 200;
    outgoing.writeHead(status, { "Content-Type": isJson ? "application/x-amz-json-1.1" : "text/xml" });
    outgoing.end(isJson ? jsonOf(body) : xmlOf(action, body));
  });
  const close = async () => {
    server.closeAllConnections();
    await once(server.close(), "close");
  };
  const environment = {
    AWS_ENDPOINT_URL: await listen(server),
    AWS_REGION: "eu-west-1",
    AWS_ACCESS_KEY_ID: "id",
    AWS_SECRET_ACCESS_KEY: "secret",
    AWS_MAX_ATTEMPTS: "1",
  };
  return Object.assign(fake, { environment, close });
}

/** A response may also throw its error. */
function outcomeOf(answer: () => object): object {
  try {
    return answer();
  } catch (error) {
    if (error instanceof Refusal) return error;
    throw error;
  }
}

function requestOf(incoming: IncomingMessage, body: string): { action: string; input: Json; isJson: boolean } {
  const target = incoming.headers["x-amz-target"];
  if (target) return { action: String(target).split(".")[1] ?? "", input: JSON.parse(body), isJson: true };
  const input = Object.fromEntries(new URLSearchParams(body));
  return { action: input.Action ?? "", input, isJson: false };
}

function jsonOf(body: object): string {
  return JSON.stringify(body instanceof Refusal ? { __type: body.code, message: body.message } : body);
}

function xmlOf(action: string, body: object): string {
  if (body instanceof Refusal)
    return `<ErrorResponse><Error>${elements({ Code: body.code, Message: body.message })}</Error></ErrorResponse>`;
  return `<${action}Response><${action}Result>${elements(body)}</${action}Result></${action}Response>`;
}

function elements(value: Json): string {
  return Object.entries<Json>(value)
    .map(([name, content]) => {
      const inner = Array.isArray(content)
        ? content.map((member) => `<member>${elements(member)}</member>`).join("")
        : typeof content === "object"
          ? elements(content)
          : String(content);
      return `<${name}>${inner}</${name}>`;
    })
    .join("");
}
