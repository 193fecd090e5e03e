import assert from "node:assert/strict";
import { test } from "node:test";
import { endpoints } from "../../../functions/endpoints/index.ts";
import { isList, pathOfLongList } from "../../support/examples.ts";
import { callersOf } from "../../support/journeyService.ts";

/** Texts that are no host. */
const notHosts = ["", "a:99999", "1.2.3.4.5", "a b", "evil.example/x?", "evil.example#", "[", "user@evil.example"];

// Through a distribution this cannot be seen: it writes over what a client says of the host.
for (const endpoint of endpoints.filter(isList)) {
  const { one } = callersOf(endpoint);

  test(`${endpoint.operationId} links to the host that a distribution before it names, if that is one`, async () => {
    const path = `${await pathOfLongList(endpoint, one, 2)}?per_page=1`;
    const { link } = (await one.get(path)).headers;
    for (const host of notHosts) {
      assert.equal((await one.get(path, { "X-Forwarded-Host": host })).headers.link, link, host);
    }
    const forwarded = await one.get(path, { "X-Forwarded-Host": "tickets.example" });
    assert.match(String(forwarded.headers.link), /^<https?:\/\/tickets\.example\/(v1|admin)\//);
  });
}
