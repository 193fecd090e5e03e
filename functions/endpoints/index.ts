import { createApiKey } from "./createApiKey.ts";
import { createWebhook } from "./createWebhook.ts";
import { deleteWebhook } from "./deleteWebhook.ts";
import { getApiKeyUsage } from "./getApiKeyUsage.ts";
import { getAttendee } from "./getAttendee.ts";
import { getDate } from "./getDate.ts";
import { getDateSummary } from "./getDateSummary.ts";
import { getDiscount } from "./getDiscount.ts";
import { getEvent } from "./getEvent.ts";
import { getEventSummary } from "./getEventSummary.ts";
import { getKey } from "./getKey.ts";
import { getOrder } from "./getOrder.ts";
import { getPayment } from "./getPayment.ts";
import { getTicket } from "./getTicket.ts";
import { getWebhook } from "./getWebhook.ts";
import { listAllApiKeyFailures } from "./listAllApiKeyFailures.ts";
import { listApiKeyActivity } from "./listApiKeyActivity.ts";
import { listApiKeyFailures } from "./listApiKeyFailures.ts";
import { listApiKeys } from "./listApiKeys.ts";
import { listAttendees } from "./listAttendees.ts";
import { listChanges } from "./listChanges.ts";
import { listDateAttendees } from "./listDateAttendees.ts";
import { listDateOrders } from "./listDateOrders.ts";
import { listDates } from "./listDates.ts";
import { listDateTickets } from "./listDateTickets.ts";
import { listEventBalancePayments } from "./listEventBalancePayments.ts";
import { listEventDates } from "./listEventDates.ts";
import { listEventDiscounts } from "./listEventDiscounts.ts";
import { listEventPayments } from "./listEventPayments.ts";
import { listEvents } from "./listEvents.ts";
import { listEventTicketCategories } from "./listEventTicketCategories.ts";
import { listOrderAttendees } from "./listOrderAttendees.ts";
import { listOrderPayments } from "./listOrderPayments.ts";
import { listOrders } from "./listOrders.ts";
import { listOrderTickets } from "./listOrderTickets.ts";
import { listPayments } from "./listPayments.ts";
import { listTickets } from "./listTickets.ts";
import { listWebhookDeliveries } from "./listWebhookDeliveries.ts";
import { listWebhooks } from "./listWebhooks.ts";
import { recordBalancePayment } from "./recordBalancePayment.ts";
import { replayWebhook } from "./replayWebhook.ts";
import { revokeApiKey } from "./revokeApiKey.ts";
import { rotateWebhookSecret } from "./rotateWebhookSecret.ts";
import { testWebhook } from "./testWebhook.ts";
import { updateApiKey } from "./updateApiKey.ts";
import { updateOrder } from "./updateOrder.ts";
import { updateWebhook } from "./updateWebhook.ts";

/** Every endpoint, in the order of the reference page. Gateway, functions, OpenAPI document and common tests follow this list. */
export const endpoints = [
  getKey,
  listChanges,
  listEvents,
  getEvent,
  listEventDates,
  listEventTicketCategories,
  listEventDiscounts,
  listEventPayments,
  listEventBalancePayments,
  recordBalancePayment,
  getEventSummary,
  listDates,
  getDate,
  listDateOrders,
  listDateTickets,
  listDateAttendees,
  getDateSummary,
  listOrders,
  getOrder,
  updateOrder,
  listOrderTickets,
  listOrderAttendees,
  listOrderPayments,
  listTickets,
  getTicket,
  listPayments,
  getPayment,
  getDiscount,
  listAttendees,
  getAttendee,
  listApiKeys,
  createApiKey,
  updateApiKey,
  revokeApiKey,
  getApiKeyUsage,
  listApiKeyFailures,
  listAllApiKeyFailures,
  listApiKeyActivity,
  listWebhooks,
  createWebhook,
  getWebhook,
  updateWebhook,
  deleteWebhook,
  rotateWebhookSecret,
  testWebhook,
  replayWebhook,
  listWebhookDeliveries,
];
