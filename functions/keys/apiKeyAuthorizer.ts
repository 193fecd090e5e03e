import { setTimeout as wait } from "node:timers/promises";
import type { APIGatewayAuthorizerResult, APIGatewayTokenAuthorizerEvent, Context } from "aws-lambda";
import { logger } from "../log/logger.ts";
import { measurements } from "../log/measurements.ts";
import { authorizationMessage, harmlessPath } from "../log/requestLine.ts";
import { allow, deny } from "../policy.ts";
import { openTable, type Table, type TableUsage } from "../table/table.ts";
import { Unavailable } from "../table/tableErrors.ts";
import {
  type ApiKeyHash,
  findApiKeyHash,
  isLastUsedStale,
  lastUsedPrecisionMs,
  recordLastUsed,
  refusalOf,
} from "./apiKeyHashes.ts";
import { ApiKeyPrincipal } from "./apiKeyPrincipal.ts";
import { hashApiKey, isWellFormedApiKey } from "./apiKeySecret.ts";

/**
 * The gateway's TOKEN authorizer for API keys. A bad key gets a Deny, which the gateway returns as 401. If the table fails, or we do (a missing
 * grant), it throws, and the gateway returns 503. Then it lets no request through. The gateway calls it for every request without caching, so a
 * revocation takes effect at once.
 */
export async function handler(
  event: APIGatewayTokenAuthorizerEvent,
  context?: Pick<Context, "awsRequestId">,
): Promise<APIGatewayAuthorizerResult> {
  const startedMs = performance.now();
  // The gateway gives no id of its own to a TOKEN authorizer, but logs this one in the access log.
  const function_request_id = context?.awsRequestId;
  const usage: TableUsage = { calls: {}, capacityUnits: 0 };
  const table = openTable(usage);
  const cost = (status: number) => measurements({ operationId: "apiKeyAuthorizer", startedMs, usage, status });
  try {
    const key = event.authorizationToken.replace(/^Bearer +/i, "");
    const found = isWellFormedApiKey(key) ? await findApiKeyHash(table, hashApiKey(key)) : undefined;
    const refusal = found ? refusalOf(found) : "unknown";
    const allowed = found && refusal === undefined;
    if (allowed) await touchLastUsed(table, found);
    // An accepted request's own line has all of this, and a second line for each would double the log.
    if (!allowed || isFirst)
      logger.info(authorizationMessage, {
        function_request_id,
        outcome: refusal ?? "allowed",
        organisation_id: found?.organisation_id,
        key_prefix: found?.prefix,
        ...(found && !allowed && { key_id: found.id, ...requestIn(event.methodArn) }),
        ...cost(allowed ? 200 : 401),
      });
    isFirst = false;
    return allowed ? allow(event.methodArn, found.id, contextOf(found)) : deny(event.methodArn);
  } catch (error) {
    // Only 500s roll back a release that breaks the authorizer.
    const status = error instanceof Unavailable ? 503 : 500;
    logger.error(authorizationMessage, { function_request_id, outcome: "failed", error, ...cost(status) });
    throw error;
  }
}

/** The first line of a process reports its cold start. */
let isFirst = true;

/** The request in a method's ARN: `arn:…:API/STAGE/METHOD/PATH`. */
function requestIn(methodArn: string): { method: string; path: string } {
  const [, , method = "", ...path] = methodArn.split("/");
  return { method, path: harmlessPath(`/${path.join("/")}`) };
}

function contextOf({ organisation_id, id, name, prefix, scopes }: ApiKeyHash) {
  const principal = { organisationId: organisation_id, keyId: id, keyName: name, keyPrefix: prefix, scopes };
  return ApiKeyPrincipal.encode(principal);
}

/**
 * The longest wait of a request for the write, at most once a minute for each key. Lambda freezes a process after its response, so a
 * write that has just started might never be sent. After this wait it has been sent, and DynamoDB executes it even if nobody waits for
 * the response.
 */
const longestWaitMs = 20;

/** The time at which this process last tried to store each key's use, by the key's hash. Otherwise, every request would retry a hanging or failing write. */
const triedMs = new Map<string, number>();

/** Records that the key is in use, unless the last record is within the promised precision. Never throws. */
async function touchLastUsed(table: Table, key: ApiKeyHash): Promise<void> {
  const now = new Date();
  const lastTriedMs = triedMs.get(key.hash) ?? 0;
  if (!isLastUsedStale(key, now) || now.getTime() - lastTriedMs < lastUsedPrecisionMs) return;
  triedMs.set(key.hash, now.getTime());
  const write = recordLastUsed(table, key.hash, now).catch((error: Error) => {
    logger.warn("The last use of a key could not be written.", { key_prefix: key.prefix, error });
  });
  const waiting = new AbortController();
  await Promise.race([write, wait(longestWaitMs, undefined, { signal: waiting.signal }).catch(() => undefined)]);
  waiting.abort();
}
