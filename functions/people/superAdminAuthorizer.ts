import type { APIGatewayAuthorizerResult, APIGatewayTokenAuthorizerEvent, Context } from "aws-lambda";
import { logger } from "../log/logger.ts";
import { measurements } from "../log/measurements.ts";
import { allow, deny } from "../policy.ts";
import { type IdTokenVerifier, idTokenVerifier } from "./idToken.ts";
import { PersonPrincipal } from "./personPrincipal.ts";
import { signInSettings } from "./signInSettings.ts";

let verifier: IdTokenVerifier | undefined;

/**
 * The gateway's TOKEN authorizer for super-admins' endpoints. It allows every signed-in person, and passes on which organisation they are
 * a super-admin of, because only the endpoint can return 403. A bad token gets a Deny, which the gateway returns as 401. If it cannot
 * get the identity provider's keys, it throws, and the gateway returns 503.
 */
export async function handler(
  event: APIGatewayTokenAuthorizerEvent,
  context?: Pick<Context, "awsRequestId">,
): Promise<APIGatewayAuthorizerResult> {
  const startedMs = performance.now();
  // The gateway gives no id of its own to a TOKEN authorizer, but logs this one in the access log.
  const function_request_id = context?.awsRequestId;
  const cost = (status: number) => measurements({ operationId: "superAdminAuthorizer", startedMs, status });
  try {
    verifier ??= idTokenVerifier(signInSettings());
    const person = await verifier(event.authorizationToken.replace(/^Bearer +/i, ""));
    logger.info("authorization", {
      function_request_id,
      outcome: person ? "allowed" : "unknown",
      organisation_id: person?.superAdminOf,
      subject: person?.subject,
      ...cost(person ? 200 : 401),
    });
    return person ? allow(event.methodArn, person.subject, PersonPrincipal.encode(person)) : deny(event.methodArn);
  } catch (error) {
    logger.error("authorization", { function_request_id, outcome: "failed", error, ...cost(503) });
    throw error;
  }
}
