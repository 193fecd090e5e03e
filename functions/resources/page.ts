import * as z from "zod";

export const defaultPerPage = 50;
export const maximumPerPage = 200;

/** The query of every list. Nothing is clamped: a value out of range is an error that names it. */
export const PageQuery = z.object({
  per_page: z
    .string()
    .regex(/^[1-9][0-9]{0,2}$/, `Must be an integer from 1 to ${maximumPerPage}.`)
    .transform(Number)
    .pipe(z.int().max(maximumPerPage, `Must be an integer from 1 to ${maximumPerPage}.`))
    .default(defaultPerPage)
    .meta({ description: "The most rows that the page may hold.", minimum: 1 }),
  cursor: z
    .string()
    .max(512, "Not a cursor of this list.")
    .optional()
    .meta({ description: "`pagination.next_cursor` of the page before. Opaque." }),
});
export type PageQuery = z.output<typeof PageQuery>;

const Pagination = z
  .object({
    per_page: z.int().meta({ description: "The `per_page` of the request, or its default." }),
    has_more: z.boolean().meta({ description: "True while another page follows." }),
    next_cursor: z.string().nullable().meta({ description: "The `cursor` of the next page; null on the last." }),
  })
  .meta({ id: "Pagination", description: "Where this page stands in its list." });

/** A list's rows and the cursor to the next: the response of every list endpoint. */
export interface Page<Row> {
  data: Row[];
  pagination: z.infer<typeof Pagination>;
}

/** The schema of a page of such rows. */
export function pageOf<Row extends z.ZodType>(row: Row) {
  const pagination: Page<Row>["pagination"] = { per_page: defaultPerPage, has_more: false, next_cursor: null };
  return z
    .object({
      data: z.array(row).meta({ description: "The rows of this page, in the list's order." }),
      pagination: Pagination,
    })
    .meta({ description: "One page of the list.", examples: [{ data: row.meta()?.examples ?? [], pagination }] });
}
