import { createApiKey } from "./createApiKey.ts";
import { getEvent } from "./getEvent.ts";
import { getKey } from "./getKey.ts";
import { listApiKeyActivity } from "./listApiKeyActivity.ts";
import { listApiKeys } from "./listApiKeys.ts";
import { listEventDates } from "./listEventDates.ts";
import { listEvents } from "./listEvents.ts";
import { listEventTicketCategories } from "./listEventTicketCategories.ts";
import { revokeApiKey } from "./revokeApiKey.ts";

/** Every endpoint, in the order of the reference page. Gateway, functions, document and common tests follow this list. */
export const endpoints = [
  getKey,
  listEvents,
  getEvent,
  listEventDates,
  listEventTicketCategories,
  listApiKeys,
  createApiKey,
  revokeApiKey,
  listApiKeyActivity,
];
