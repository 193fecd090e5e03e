/*
 * The journeys test the API's promises over HTTP. They run against the service that they start or, with BASE_URL and
 * SERVICE_DESCRIPTION, against any running one. Those in local/ also need its table, its log (tested last) or a direct connection.
 */
import "./journeys/authentication.ts";
import "./journeys/isolation.ts";
import "./journeys/requests.ts";
import "./journeys/representations.ts";
import "./journeys/paging.ts";
import "./journeys/lookUps.ts";
import "./journeys/mcp.ts";
// Journeys that change data come last, because lists must not change while others page through them.
import "./journeys/bodies.ts";
import "./journeys/writes.ts";
import "./journeys/keyAdministration.ts";
import "./journeys/webhooks.ts";
import { localService } from "./support/service/journeyService.ts";

if (localService) {
  await import("./journeys/local/typescriptClient.ts");
  await import("./journeys/local/smokeTest.ts");
  await import("./journeys/local/changingLists.ts");
  await import("./journeys/local/summaries.ts");
  await import("./journeys/local/feed.ts");
  await import("./journeys/local/webhookDelivery.ts");
  await import("./journeys/local/secrets.ts");
  await import("./journeys/local/logs.ts");
}
