import assert from "node:assert/strict";

interface Page {
  pagination: { has_more: boolean; next_cursor: string | null };
}

/** All pages of a list, which is read from a cursor on. */
export async function* pagesOf<Read extends Page>(list: (cursor?: string) => Promise<Read>): AsyncGenerator<Read> {
  let cursor: string | null | undefined;
  while (cursor !== null) {
    const page: Read = await list(cursor);
    assert.equal(page.pagination.has_more, page.pagination.next_cursor !== null);
    yield page;
    cursor = page.pagination.next_cursor;
  }
}
