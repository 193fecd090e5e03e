import { notFound } from "../problem.ts";
import type { Page, PageQuery } from "../resources/page.ts";
import { storedForm } from "../resources/resource.ts";
import { keys } from "../table/keys.ts";
import { lists } from "../table/lists.ts";
import { getItem } from "../table/reads.ts";
import { listRows } from "../table/rows.ts";
import type { Table } from "../table/table.ts";
import { Webhook, WebhookDelivery } from "./webhook.ts";

/** Reads null for what an earlier version did not record. */
const StoredDelivery = storedForm(WebhookDelivery);

/** One organisation's webhooks, to read. Apart from what changes them, which needs the list of changes and the keys of secrets. */
export function webhookListRepository(organisationId: number, table: Table) {
  /** @throws Problem `not_found` */
  async function get(id: string): Promise<Webhook> {
    const item = await getItem(table, keys.webhook(organisationId, id));
    if (!item) throw notFound("webhook");
    return Webhook.parse(item);
  }
  return {
    get,

    list: (page: PageQuery): Promise<Page<Webhook>> => listRows(table, Webhook, lists.webhooks(organisationId), page),

    /** The attempts of the last days, latest first. @throws Problem `not_found` */
    async listDeliveries(id: string, page: PageQuery): Promise<Page<WebhookDelivery>> {
      await get(id);
      return listRows(table, StoredDelivery, lists.webhookDeliveries(organisationId, id), page);
    },
  };
}
