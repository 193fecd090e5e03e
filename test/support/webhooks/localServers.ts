import { createSocket } from "node:dgram";
import { once } from "node:events";
import { createServer as createHttpServer, type RequestListener } from "node:http";
import { type AddressInfo, createServer, isIPv6, type Server, type Socket } from "node:net";

const closing: (() => void)[] = [];

/** Closes all servers of a test, with their connections. */
export function closeServers(): void {
  for (const close of closing.splice(0)) close();
}

/** A server on the loopback interface. @returns its port, how many connections it got, and how many of them are open. */
export async function listen(onConnection: (socket: Socket) => void) {
  let connections = 0;
  const sockets = new Set<Socket>();
  const server: Server = createServer({ allowHalfOpen: true }, (socket) => {
    connections++;
    sockets.add(socket.on("close", () => sockets.delete(socket)));
    // A client that closed its connection gets no more.
    socket.on("error", () => undefined).on("end", () => socket.destroy());
    onConnection(socket);
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  closing.push(() => {
    server.close();
    for (const socket of sockets) socket.destroy();
  });
  // The listening server has an address with a port.
  const { port } = server.address() as AddressInfo;
  return { port, connections: () => connections, open: () => sockets.size };
}

/** An HTTP receiver. @returns its port, and the paths that were requested. */
export async function receive(respond: RequestListener) {
  const paths: string[] = [];
  const http = createHttpServer((incoming, outgoing) => {
    paths.push(String(incoming.url));
    respond(incoming, outgoing);
  });
  const { port, connections } = await listen((socket) => http.emit("connection", socket));
  return { port, connections, paths };
}

/** Addresses, of which a query gets those of its family; an error code; bytes to send instead; or undefined for no answer. */
type Answer = readonly string[] | number | Buffer | undefined;
export const serverFailure = 2;
export const noSuchName = 3;

interface Question {
  name: string;
  family: 4 | 6;
  isTcp: boolean;
}

/** A DNS server, over UDP and TCP. @returns its address as an option, and the questions that it got. */
export async function dnsServer(answer: (question: Question) => Answer | Promise<Answer>) {
  const questions: Question[] = [];
  const respond = async (query: Buffer, isTcp: boolean): Promise<Buffer | undefined> => {
    const { question, end } = parsed(query, isTcp);
    questions.push(question);
    const answered = await answer(question);
    if (answered === undefined || Buffer.isBuffer(answered)) return answered;
    return response(query.subarray(0, end), question, answered);
  };
  const { port } = await listen((socket) => {
    socket.on("data", async (data) => {
      const response = await respond(data.subarray(2), true);
      if (response) socket.write(Buffer.concat([uint16(response.length), response]));
    });
  });
  const udp = createSocket("udp4").on("message", async (query, { port, address }) => {
    const response = await respond(query, false);
    if (response) udp.send(response, port, address);
  });
  udp.bind(port, "127.0.0.1");
  await once(udp, "listening");
  closing.push(() => udp.close());
  return { options: { dnsServers: [`127.0.0.1:${port}`] }, questions };
}

/** The question of a DNS query, and where it ends. */
function parsed(query: Buffer, isTcp: boolean): { question: Question; end: number } {
  const labels: string[] = [];
  let at = 12;
  for (let length = query.readUInt8(at); length > 0; length = query.readUInt8(at)) {
    labels.push(query.toString("latin1", at + 1, at + 1 + length));
    at += 1 + length;
  }
  return {
    question: { name: labels.join("."), family: query.readUInt16BE(at + 1) === 28 ? 6 : 4, isTcp },
    end: at + 5,
  };
}

/** The response to a DNS query (RFC 1035, 4). If it does not fit over UDP, it has only the truncation flag. */
function response(query: Buffer, { family, isTcp }: Question, answered: readonly string[] | number): Buffer {
  const code = typeof answered === "number" ? answered : 0;
  const addresses =
    typeof answered === "number" ? [] : answered.filter((address) => isIPv6(address) === (family === 6));
  const records = addresses.map((address) => {
    const bytes = family === 6 ? bytesOf6(address) : Buffer.from(address.split(".").map(Number));
    return Buffer.concat([Buffer.from([0xc0, 12]), uint16(family === 6 ? 28 : 1, 1, 0, 0, bytes.length), bytes]);
  });
  const isTruncated = !isTcp && records.length > 50;
  const sent = isTruncated ? [] : records;
  const flags = 0x8180 | code | (isTruncated ? 0x200 : 0);
  return Buffer.concat([query.subarray(0, 2), uint16(flags, 1, sent.length, 0, 0), query.subarray(12), ...sent]);
}

function bytesOf6(address: string): Buffer {
  const [head = "", tail] = new URL(`http://[${address}]`).hostname.slice(1, -1).split("::");
  const groups = (text = "") => text.split(":").flatMap((group) => (group ? [Number.parseInt(group, 16)] : []));
  const [before, after] = [groups(head), groups(tail)];
  return uint16(...before, ...Array.from({ length: 8 - before.length - after.length }, () => 0), ...after);
}

function uint16(...values: number[]): Buffer {
  return Buffer.from(values.flatMap((value) => [value >> 8, value & 0xff]));
}
