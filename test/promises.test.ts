/*
 * The promises to integrators over HTTP, a file for each page of docs/integrators. They run against the service that they start or, with
 * BASE_URL and SERVICE_DESCRIPTION, against any running one. Those in local/ also need its table, its log (tested last) or a direct connection.
 */
import "./promises/basics.ts";
import "./promises/isolation.ts";
import "./promises/doorScanning.ts";
import "./promises/calendars.ts";
import "./promises/assistants.ts";
import "./promises/assistantProtocol.ts";
import "./promises/httpContract.ts";
// These change data, and lists must not change while other tests page through them.
import "./promises/errorsAndRetries.ts";
import "./promises/writes.ts";
import "./promises/developerArea.ts";
import "./promises/webhooks.ts";
import { localService } from "./support/service/testedService.ts";

if (localService) {
  await import("./promises/local/incrementalSync.ts");
  await import("./promises/local/clients.ts");
  await import("./promises/local/basics.ts");
  await import("./promises/local/assistants.ts");
  await import("./promises/local/httpContract.ts");
  await import("./promises/local/webhooks.ts");
  await import("./promises/local/feed.ts");
  await import("./promises/local/smokeTest.ts");
  await import("./promises/local/secrets.ts");
  await import("./promises/local/logs.ts");
}
