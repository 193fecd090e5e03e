/*
 * The journeys: what the API promises, over HTTP. They run against the service that they start or, with BASE_URL and
 * SERVICE_DESCRIPTION, against one that runs anywhere. Those in local/ also need its table, its log, which comes at the end, or to reach it
 * with nothing between.
 */
import "./journeys/authentication.ts";
import "./journeys/isolation.ts";
import "./journeys/requests.ts";
import "./journeys/representations.ts";
import "./journeys/paging.ts";
import "./journeys/typedClient.ts";
// Those that change something come last: lists must not change while they are paged.
import "./journeys/bodies.ts";
import "./journeys/writes.ts";
import "./journeys/keyAdministration.ts";
import { localService } from "./support/journeyService.ts";

if (localService) {
  await import("./journeys/local/revocation.ts");
  await import("./journeys/local/lastUsed.ts");
  await import("./journeys/local/forwardedHost.ts");
  await import("./journeys/local/oddRequests.ts");
  await import("./journeys/local/changingLists.ts");
  await import("./journeys/local/orderSync.ts");
  await import("./journeys/local/balancePayments.ts");
  await import("./journeys/local/summaries.ts");
  await import("./journeys/local/feed.ts");
  await import("./journeys/local/readme.ts");
  await import("./journeys/local/logs.ts");
}
