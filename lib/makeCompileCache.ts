import { once } from "node:events";
import { writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { join } from "node:path";
import { mintApiKey } from "../functions/keys/apiKeySecret.ts";
import { cacheFile, compileFunction } from "../functions/start/compileFunction.ts";

/*
 * node --predictable lib/makeCompileCache.ts DIRECTORY
 *
 * Writes the compile cache of the function in a directory: what V8 has compiled when the function has answered one request, with an empty
 * table. With --predictable, the same code gives the same bytes.
 */
const event = {
  httpMethod: "GET",
  path: "/",
  headers: { "Content-Type": "application/json" },
  body: "{}",
  pathParameters: { id: "1" },
  authorizationToken: `Bearer ${mintApiKey().key}`,
  methodArn: "arn:aws:execute-api:::/",
  requestContext: {
    requestId: "none",
    authorizer: {
      organisationId: "1",
      keyId: "none",
      keyName: "none",
      keyPrefix: "none",
      scopes: "read",
      subject: "none",
      name: "none",
      superAdminOf: "1",
    },
  },
};

const emptyTable = createServer((incoming, outgoing) => {
  incoming.resume().once("end", () => outgoing.end("{}"));
});
await once(emptyTable.listen(0, "127.0.0.1"), "listening");
const address = emptyTable.address();
if (address === null || typeof address === "string") throw new Error("The empty table has no port.");
Object.assign(process.env, {
  AWS_ENDPOINT_URL: `http://127.0.0.1:${address.port}`,
  AWS_REGION: "none",
  AWS_ACCESS_KEY_ID: "none",
  AWS_SECRET_ACCESS_KEY: "none",
  TABLE_NAME: "none",
  POWERTOOLS_METRICS_NAMESPACE: "none",
});
const [, , directory = ""] = process.argv;
const { script, exports } = compileFunction(directory);
// Any answer will do: the super-admins' authorizer has no settings here.
await exports.handler(event, { getRemainingTimeInMillis: () => 8_000 }).catch(() => undefined);
writeFileSync(join(directory, cacheFile), script.createCachedData());
process.exit();
