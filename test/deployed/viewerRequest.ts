import assert from "node:assert/strict";
import { createServer } from "node:http";
import { test } from "@jest/globals";
import { checksumLength, tagLength } from "../../functions/keys/apiKeySecret.ts";
import { keyTagHeader, tags, viewerAddressHeader } from "../../lib/website/webAcl.ts";
import { redirects } from "../../lib/website/websiteFile.ts";
import { assertProblem, assertSecurityHeaders } from "../support/http/assertProblem.ts";
import { listen } from "../support/http/listen.ts";
import { send } from "../support/http/send.ts";
import { startDistribution } from "./emulator/distribution.ts";
import { emulated } from "./startStage.ts";

/*
 * The distribution's function, which njs runs in front of the stage. All other tests' requests pass it too.
 */

const { baseUrl, functionCode, reader, personOf } = emulated;

test("the distribution redirects GET and HEAD from the root and trailing slashes, and forwards other requests", async () => {
  for (const [path, { status, location }] of redirects) {
    for (const method of ["GET", "HEAD"]) {
      for (const query of ["", "?a=%2F&a=?"]) {
        const answer = await send(baseUrl + path + query, { method });
        assert.deepEqual([answer.status, answer.headers.location], [status, location + query]);
        assertSecurityHeaders(answer);
      }
    }
    assertProblem(await send(baseUrl + path, { method: "POST" }), "not_found");
  }
});

test("the stage's web ACL gets each client's address and its key's tag, whatever the client sends", async () => {
  // The emulator's web ACL reads no request.
  const stage = createServer(({ headers }, outgoing) => outgoing.end(JSON.stringify(headers)));
  const front = { stageUrl: await listen(stage), functionCode };
  const url = await startDistribution(() => front);
  const { credential } = reader(1);
  const tag = credential.slice(-checksumLength - tagLength, -checksumLength);
  for (const [authorization, expected] of [
    [`Bearer ${credential}`, tag],
    [`Bearer ${personOf("super-admin").credential}`, tags.token],
    [`Bearer ${credential}0`, tags.none],
    [undefined, tags.none],
  ]) {
    const headers = { [viewerAddressHeader]: "198.51.100.1", [keyTagHeader]: "Ab3dE" };
    const answer = await send(`${url}/v1/key`, { headers: { ...headers, ...(authorization && { authorization }) } });
    const received = JSON.parse(String(answer.body));
    assert.equal(received[keyTagHeader.toLowerCase()], expected);
    assert.equal(received[viewerAddressHeader.toLowerCase()], "127.0.0.1");
    assert.equal(received.authorization, authorization);
  }
});
