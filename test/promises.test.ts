/*
 * The promises to integrators over HTTP, a file for each page of docs/integrators. They run against the service that they start or, with
 * BASE_URL and SERVICE_DESCRIPTION, against any running one. Those in local/ also need its table, its log (tested last) or a direct connection.
 */
import "./promises/basics.test.ts";
import "./promises/isolation.test.ts";
import "./promises/doorScanning.test.ts";
import "./promises/calendars.test.ts";
import "./promises/assistants.test.ts";
import "./promises/assistantProtocol.test.ts";
import "./promises/httpContract.test.ts";
// These change data, and lists must not change while other tests page through them.
import "./promises/errorsAndRetries.test.ts";
import "./promises/writes.test.ts";
import "./promises/developerArea.test.ts";
import "./promises/webhooks.test.ts";
import { localService } from "./support/service/testedService.ts";

if (localService) {
  await import("./promises/local/incrementalSync.test.ts");
  await import("./promises/local/clients.test.ts");
  await import("./promises/local/basics.test.ts");
  await import("./promises/local/assistants.test.ts");
  await import("./promises/local/httpContract.test.ts");
  await import("./promises/local/webhooks.test.ts");
  await import("./promises/local/feed.test.ts");
  await import("./promises/local/smokeTest.test.ts");
  await import("./promises/local/secrets.test.ts");
  await import("./promises/local/logs.ts");
}
