/** A time that a person chooses. */
export interface When {
  /** One of the choices' values: milliseconds from now, "at" for a date and time, or a word. */
  choice: string;
  /** For a period: its end, counted from the choice, so that a repeated request is the same. */
  end: string | null;
  /** For "at": the date and time as the browser's field writes it. */
  at: string;
}

export function choose(choice: string): When {
  const end = /^-?\d+$/.test(choice) ? new Date(Date.now() + Number(choice)).toISOString() : null;
  return { choice, end, at: "" };
}

/** The chosen time in UTC, or why it cannot be; neither for a choice without a time. */
export function timeOf({ choice, end, at }: When): { time?: string; problem?: string } {
  if (choice !== "at") return end === null ? {} : { time: end };
  const time = new Date(at);
  if (Number.isNaN(time.getTime())) return { problem: "Choose a date and a time." };
  const local = new Date(time.getTime() - time.getTimezoneOffset() * 60_000).toISOString();
  if (!local.startsWith(at.slice(0, "YYYY-MM-DDTHH:mm".length)))
    return { problem: `The clocks in ${timeZone()} skip this time. Choose an earlier or a later one.` };
  return { time: time.toISOString() };
}

/** The name of the person's time zone. */
export function timeZone(): string {
  return Intl.DateTimeFormat().resolvedOptions().timeZone;
}
