import assert from "node:assert/strict";
import { test } from "@jest/globals";
import { endpoints } from "../../../functions/endpoints/index.ts";
import { isList, pathOfLongList } from "../../support/http/examples.ts";
import { withQuery } from "../../support/http/send.ts";
import { cases, shareOf } from "../../support/jest/cases.ts";
import { callersOf } from "../../support/service/journeyService.ts";

/** Texts that are not a host. */
const notHosts = ["", "a:99999", "1.2.3.4.5", "a b", "evil.example/x?", "evil.example#", "[", "user@evil.example"];

/** The same code makes all links. */
const listEndpoints = endpoints.filter(isList).slice(0, cases(4, endpoints.length));

// A distribution overwrites the header, so only a direct connection can test this.
for (const endpoint of listEndpoints) {
  const { one } = callersOf(endpoint);

  test(`${endpoint.operationId} links to the host in X-Forwarded-Host, if it is valid`, async () => {
    const path = withQuery(await pathOfLongList(endpoint, one, 2), "per_page=1");
    const { link } = (await one.get(path)).headers;
    for (const host of shareOf(notHosts, endpoint, listEndpoints)) {
      assert.equal((await one.get(path, { "X-Forwarded-Host": host })).headers.link, link, host);
    }
    const forwarded = await one.get(path, { "X-Forwarded-Host": "tickets.example" });
    assert.match(String(forwarded.headers.link), /^<https?:\/\/tickets\.example\/(v1|admin)\//);
  });
}
