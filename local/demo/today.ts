/** The day on which the demo data is true: what is later has not happened yet. */
export const today = "2026-11-01";
