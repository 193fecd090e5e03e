import * as z from "zod";

export const defaultPerPage = 50;
export const maximumPerPage = 1_000;

/** The query of every list. Out-of-range values are errors; they are never clamped. */
export const PageQuery = z.object({
  per_page: z
    .string()
    .regex(/^[1-9][0-9]{0,3}$/, `Must be an integer from 1 to ${maximumPerPage}.`)
    .transform(Number)
    .pipe(z.int().max(maximumPerPage, `Must be an integer from 1 to ${maximumPerPage}.`))
    .default(defaultPerPage)
    .meta({ description: "Maximum number of rows on the page.", minimum: 1, examples: [1_000] }),
  cursor: z
    .string()
    .max(512, "Not a cursor of this list.")
    .optional()
    .meta({ description: "`pagination.next_cursor` of the previous page. Opaque.", examples: [] }),
});
export type PageQuery = z.output<typeof PageQuery>;

/** Comma-separated names in a query, as an array in the order of `allowed`. @param what the plural noun for the names in errors. */
export function namesOutOf<const Name extends string>(allowed: readonly Name[], what: string) {
  const isAllowed = (text: string) => allowed.some((name) => name === text);
  const text = z
    .string()
    .refine((text) => text.split(",").every(isAllowed), `Must be comma-separated ${what} out of ${allowed.join(", ")}.`)
    .refine((text) => new Set(text.split(",")).size === text.split(",").length, "Must have each name only once.");
  return z.codec(text, z.array(z.enum(allowed)), {
    decode: (text) => allowed.filter((name) => text.split(",").includes(name)),
    encode: (names) => names.join(","),
  });
}

const Pagination = z
  .object({
    per_page: z.int().meta({ description: "The request's `per_page`, or the default." }),
    has_more: z.boolean().meta({ description: "True if another page follows." }),
    next_cursor: z.string().nullable().meta({ description: "The `cursor` for the next page; null on the last page." }),
  })
  .meta({ id: "Pagination", description: "Position of this page in the list." });

/** The rows of one page and the cursor to the next: the response of every list endpoint. */
export interface Page<Row> {
  data: Row[];
  pagination: z.infer<typeof Pagination>;
}

/** The schema of a page, named after the row's: `EventPage`. */
export function pageOf<Row extends z.ZodType>(row: Row) {
  const { id, examples: data = [] } = row.meta() ?? {};
  const pagination: Page<Row>["pagination"] = { per_page: defaultPerPage, has_more: false, next_cursor: null };
  return z
    .object({
      data: z.array(row).meta({ description: "The rows of this page, in the list's order." }),
      pagination: Pagination,
    })
    .meta({ id: `${id}Page`, description: "One page of the list.", examples: [{ data, pagination }] });
}

/** Lambda limits a response to 6 MB ("Lambda quotas"), in which the body is a JSON string: its quotation marks and backslashes count twice. */
export const maximumBodyBytes = 3_000_000;

/** The first rows whose JSON has at most this number of bytes. One row always fits into a body: it has at most 400 KB in the table. */
export function fitting<Row>(rows: Row[], maximumBytes = maximumBodyBytes): Row[] {
  let bytes = 0;
  const end = rows.findIndex((row) => {
    bytes += row === undefined ? 0 : Buffer.byteLength(JSON.stringify(row));
    return bytes > maximumBytes;
  });
  return end === -1 ? rows : rows.slice(0, end);
}
