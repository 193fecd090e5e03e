import * as z from "zod";
import { exampleOf } from "./exampleOf.ts";
import { Instant } from "./instant.ts";
import { defaultPerPage, type Page, PageQuery, pageOf } from "./page.ts";

/** The query of a list of changes. */
export const SyncQuery = PageQuery.extend({
  changed_since: Instant.optional().meta({
    description:
      "Only changes that this service accepted at this time or later, ISO 8601. Without an offset it counts as UTC. Only for a beginning: go on with `cursor`.",
  }),
});
export type SyncQuery = z.output<typeof SyncQuery>;

/** A page of changes: `resume_cursor` is where to go on, from the last page too, whenever that is. */
export interface SyncPage<Row> {
  data: Row[];
  pagination: Page<Row>["pagination"] & { resume_cursor: string };
}

/** The schema of a page of changes of such rows. */
export function syncPageOf<Row extends z.ZodType>(row: Row) {
  const page = pageOf(row);
  const pagination = page.shape.pagination.extend({
    resume_cursor: z.string().meta({
      description: "The `cursor` to go on from after this page, tonight or next month. Keep it: it is valid for ever.",
    }),
  });
  const example: SyncPage<unknown>["pagination"] = {
    per_page: defaultPerPage,
    has_more: false,
    next_cursor: null,
    resume_cursor: "jGk2mZQ4xY0hMjAyNS0xMS0wM1QwOToxMjo0NS4xMjBaIzAwMDAwMDAwMDAwOTAyMTE",
  };
  return z
    .object({
      data: page.shape.data,
      pagination: pagination.meta({ id: "SyncPagination", description: "Where this page stands among the changes." }),
    })
    .meta({
      description: "One page of changes.",
      get examples() {
        return [{ data: [exampleOf(row)], pagination: example }];
      },
    });
}
