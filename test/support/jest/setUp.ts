/*
 * Runs before each test file, in its own copy of the environment.
 */

// On a busy machine, a call may take longer than the service's own limit.
process.env.DYNAMODB_TIMEOUT_MS ??= "30000";
// The log of provoked failures would fill the screen.
process.env.POWERTOOLS_LOG_LEVEL ??= "SILENT";
