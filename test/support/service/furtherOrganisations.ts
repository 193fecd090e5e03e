/** Organisations of the service that the tests start, so that pages can run at the same time. */
export const furtherOrganisations = {
  /** Nothing uses or changes its keys and webhooks while tests run. */
  quiet: 10,
  // Each of these pages changes keys, webhooks or records.
  errorsAndRetries: 11,
  writes: 12,
  developerArea: 13,
  webhooks: 14,
  localWebhooks: 15,
  secrets: 16,
  repair: 17,
};
