import assert from "node:assert/strict";
import { once } from "node:events";
import { connect } from "node:net";
import { networkInterfaces } from "node:os";
import { test } from "@jest/globals";

const loopback = "127.0.0.1";
// Linux has the whole network 127.0.0.0/8 on the loopback interface, so a program that listens everywhere also listens there.
const others = process.platform === "linux" ? ["127.0.0.2"] : [];

async function accepts(host: string, port: number): Promise<boolean> {
  const socket = connect({ host, port });
  try {
    await once(socket, "connect");
    return true;
  } catch {
    return false;
  } finally {
    socket.destroy();
  }
}

test("DynamoDB Local listens on the loopback interface only", async () => {
  const port = Number(new URL(process.env.TEST_DYNAMODB_ENDPOINT ?? "").port);
  assert.ok(await accepts(loopback, port));
  const interfaces = Object.values(networkInterfaces()).flatMap((addresses = []) => addresses);
  const addresses = [...others, ...interfaces.map(({ address }) => address)].filter((address) => address !== loopback);
  assert.ok(addresses.length > 0);
  for (const address of addresses) assert.equal(await accepts(address, port), false, address);
});
