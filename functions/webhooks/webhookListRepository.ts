import type { Page, PageQuery } from "../resources/page.ts";
import { partitions } from "../table/lists.ts";
import { listRows } from "../table/rows.ts";
import type { Table } from "../table/table.ts";
import { getWebhook, publicWebhook, StoredWebhook } from "./storedWebhook.ts";
import { type Webhook, WebhookDelivery } from "./webhook.ts";

/** Reads one organisation's webhooks. Only changing them needs the list of changes and the keys of secrets. */
export function webhookListRepository(organisationId: number, table: Table) {
  return {
    /** @throws Problem `not_found` */
    get: async (id: string): Promise<Webhook> => publicWebhook(await getWebhook(table, organisationId, id), table),

    async list(page: PageQuery): Promise<Page<Webhook>> {
      const { data, pagination } = await listRows(table, StoredWebhook, partitions.webhooks(organisationId), page);
      return { data: data.map((stored) => publicWebhook(stored, table)), pagination };
    },

    /** The attempts of the last days, latest first. @throws Problem `not_found` */
    async listDeliveries(id: string, page: PageQuery): Promise<Page<WebhookDelivery>> {
      await getWebhook(table, organisationId, id);
      return listRows(table, WebhookDelivery, partitions.webhookDeliveries(organisationId, id), page);
    },
  };
}
