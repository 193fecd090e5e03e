import * as z from "zod";
import { exampleOf } from "./exampleOf.ts";
import { Instant } from "./instant.ts";
import { defaultPerPage, type Page, PageQuery, pageOf } from "./page.ts";

/** The query of a list of changes. */
export const SyncQuery = PageQuery.extend({
  changed_since: Instant.optional().meta({
    description:
      "Start with the changes that this service accepted at this time or later, ISO 8601. Without an offset it counts as UTC. Needed only for the first page; continue with `cursor`.",
  }),
});
export type SyncQuery = z.output<typeof SyncQuery>;

/** A page of changes. `resume_cursor` marks where to continue, even after the last page. */
export interface SyncPage<Row> {
  data: Row[];
  pagination: Page<Row>["pagination"] & { resume_cursor: string };
}

/** The schema of a page of changes. */
export function syncPageOf<Row extends z.ZodType>(row: Row) {
  const page = pageOf(row);
  const pagination = page.shape.pagination.extend({
    resume_cursor: z.string().meta({
      description: "The `cursor` to continue after this page, tonight or next month. Store it: it never expires.",
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
      pagination: pagination.meta({ id: "SyncPagination", description: "Position of this page among the changes." }),
    })
    .meta({
      description: "One page of changes.",
      get examples() {
        return [{ data: [exampleOf(row)], pagination: example }];
      },
    });
}
