/*
 * Limits of a stage that commands and docs need too, without loading the CDK.
 */

/**
 * The requests of all callers together, above which a stage returns 429: a tenth of an account's default
 * (https://docs.aws.amazon.com/apigateway/latest/developerguide/limits.html), so that no stage can use up another's share.
 */
export const requestsPerSecond = 1_000;
export const requestsInBurst = 500;

/**
 * The processes of the API key authorizer, so that a bulk load cannot take those that every request needs. It is also the authorizer's
 * maximum: at the stage's limit it allows each check 200 ms, and a check takes about 10.
 */
export const authorizerConcurrency = 200;
