import { cursorExpired, Problem } from "../problem.ts";
import { passedMs, visibilityDelayMs } from "../records/changeTime.ts";
import { deletionsMissing, deletionsShownDays } from "../records/recordItem.ts";
import { changingTypes } from "../resources/index.ts";
import type { ResourceType } from "../resources/resource.ts";
import { partitions } from "../table/lists.ts";
import type { Table } from "../table/table.ts";
import { Unavailable } from "../table/tableErrors.ts";
import { decodeCursor, encodeCursor } from "../values/cursor.ts";
import { instantMs, isoOf } from "../values/instant.ts";
import type { ChangesPage, ChangesQuery } from "./change.ts";
import { mergeChanges } from "./mergeChanges.ts";

const hourMs = 60 * 60 * 1_000;
const deletionsShownMs = deletionsShownDays * 24 * hourMs;

/** The name of a list of types in its cursors. Readers of all types also receive types added later. */
function nameOf(types: ResourceType[]): string {
  return types.length === changingTypes.length ? "all" : types.join();
}

interface Start {
  /** The sort key of the last change shown, or a time. */
  position: string;
  /** The reader has seen all deletions up to this time. */
  knownUntil: string;
  /** The time at which the first page started. */
  since: string;
}

/** One organisation's changes. docs/decisions/0015-changes.md explains why a reader misses none. */
export function changeRepository(organisationId: number, table: Table) {
  /**
   * One page of the latest changes of the resources of some types, up to the visibility delay ago.
   * @param atMs the present, from {@link passedMs}.
   * @throws Problem `cursor_expired`
   */
  async function list(query: ChangesQuery, atMs?: number): Promise<ChangesPage> {
    const { types, per_page, cursor, changed_since } = query;
    const nowMs = atMs ?? (await passedMs(table));
    const { partition } = partitions.changes(organisationId, nameOf(types));
    const visibleUntil = isoOf(nowMs - visibilityDelayMs);
    // Whole hours, so that the cursor of an up-to-date reader seldom changes.
    const lastHour = isoOf(Math.floor((nowMs - visibilityDelayMs) / hourMs) * hourMs);
    const start = startOf(partition, cursor, changed_since, lastHour);
    if (cursor === undefined && start.position > isoOf(nowMs)) {
      if (!table.clock.isSet()) throw new Unavailable(new Error("The time is unknown: DynamoDB responds too slowly."));
      const errors = [{ parameter: "changed_since", detail: "Must not be in the future." }];
      throw new Problem("invalid_request", "The query has invalid parameters.", { errors });
    }
    assertUsable(start, nowMs);
    const { changes, hasMore, end } = await readPage(types, start.position, visibleUntil, per_page);
    const resume_cursor = encodeCursor(
      { partition },
      positionText({
        position: end ?? start.position,
        knownUntil: hasMore ? start.knownUntil : laterOf(start.knownUntil, lastHour),
        since: start.since,
      }),
    );
    return {
      data: changes,
      pagination: { per_page, has_more: hasMore, next_cursor: hasMore ? resume_cursor : null, resume_cursor },
    };
  }

  /** A page is not empty unless it is the last, because some readers take an empty page for the end. */
  async function readPage(types: ResourceType[], position: string, visibleUntil: string, limit: number) {
    let page = await mergeChanges(table, organisationId, types, { position, visibleUntil }, limit);
    while (page.changes.length === 0 && page.hasMore && page.end !== undefined)
      page = await mergeChanges(table, organisationId, types, { position: page.end, visibleUntil }, limit);
    return page;
  }

  return { list };
}

/** The positions of a reader that stores them in an organisation's changes, as cursors. */
export function changePositions(organisationId: number) {
  const place = (types: ResourceType[]) => partitions.changes(organisationId, nameOf(types));
  return {
    /** The position before all changes accepted at or after this time. */
    at: (types: ResourceType[], time: string): string =>
      encodeCursor(place(types), positionText({ position: time, knownUntil: time, since: time })),

    /** The time up to which the reader has read. @throws Problem `invalid_request` for a cursor of other types. */
    timeOf(types: ResourceType[], cursor: string): string {
      const { position } = parsePosition(decodeCursor({ ...place(types), isPosition }, cursor));
      return position.split("#")[0] ?? beginning;
    },

    /** The same position for other types. The reader gets no earlier changes of an added type. */
    withTypes: (cursor: string, before: ResourceType[], after: ResourceType[]): string =>
      encodeCursor(place(after), decodeCursor({ ...place(before), isPosition }, cursor)),
  };
}

/** @throws Problem `cursor_expired` if changes after the reader's position may be missing. */
function assertUsable({ position, knownUntil }: Start, nowMs: number): void {
  if (laterOf(position, knownUntil) < isoOf(nowMs - deletionsShownMs)) throw cursorExpired(deletionsMissing);
}

/** Sorts before every time. */
const beginning = "0";

/** @throws Problem `invalid_request` for a cursor of other types or of another organisation. */
function startOf(
  partition: string,
  cursor: string | undefined,
  changedSince: string | undefined,
  lastHour: string,
): Start {
  const since = changedSince === undefined ? undefined : isoOf(instantMs(changedSince));
  // A reader that begins has nothing to delete.
  if (cursor === undefined)
    return { position: since ?? beginning, knownUntil: since ?? lastHour, since: since ?? beginning };
  const start = parsePosition(decodeCursor({ partition, isPosition }, cursor, notOfTheseTypes));
  if (since !== undefined && since > start.since)
    throw new Problem("invalid_request", "The query has invalid parameters.", laterStart);
  return start;
}

/** Tools may repeat `changed_since` with each cursor; a later one would be ignored. */
const laterStart = {
  errors: [
    {
      parameter: "changed_since",
      detail:
        "Must not be later than the start of the cursor's first page. Leave it out: the cursor continues from its own position.",
    },
  ],
};

const notOfTheseTypes =
  "Not a cursor of this organisation's changes of these types. Send the types of its page, with a key of its organisation.";

/** `<known until> <position> <since>`. */
function positionText({ position, knownUntil, since }: Start): string {
  return `${knownUntil} ${position} ${since}`;
}

function isPosition(text: string): boolean {
  return /^\d{4}-[-\dT:.]{18}Z (0|\d{4}-[-\dT:.]{18}Z(#[A-Z]+#\d{16})?) (0|\d{4}-[-\dT:.]{18}Z)$/.test(text);
}

function parsePosition(text: string): Start {
  const [knownUntil = "", position = "", since = ""] = text.split(" ");
  return { position, knownUntil, since };
}

function laterOf(one: string, other: string): string {
  return one > other ? one : other;
}
