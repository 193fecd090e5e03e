import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer } from "node:net";
import { test } from "@jest/globals";
import { assertPortFree } from "../../local/service.ts";

for (const address of ["127.0.0.1", "::1", "0.0.0.0", "::"]) {
  test(`a port is taken while a program listens on ${address}, and free afterwards`, async () => {
    const other = createServer().listen(0, address);
    await once(other, "listening");
    const { port } = other.address() as { port: number };
    await assert.rejects(assertPortFree(port), {
      name: "UsageError",
      message: new RegExp(`^Port ${port} is taken\\.`),
    });
    other.close();
    await once(other, "close");
    await assertPortFree(port);
  });
}
