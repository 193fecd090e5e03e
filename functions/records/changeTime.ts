import { maximumErrorMs } from "../table/clock.ts";
import { listAttributes } from "../table/lists.ts";

/** The attribute that sorts an organisation's changes: when this service accepted the item's latest change. */
export const changeTimeAttribute = listAttributes({ index: "GSI3" }).sortKey;

/** A slower write gets a new change time, because readers may already be past it. */
export const maximumWriteMs = 2_000;
/** GSI3 follows the table within this time in practice. */
const maximumIndexMs = 1_000;
/** Changes are shown only after this time, when their order is final: two clocks may err in opposite directions (docs/decisions/0015-changes.md). */
export const visibilityDelayMs = maximumWriteMs + 2 * maximumErrorMs + maximumIndexMs;
