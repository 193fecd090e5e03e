import { relativeTime } from "./relativeTime.ts";
import { useNow } from "./useNow.ts";

const exact = new Intl.DateTimeFormat("en-GB", { dateStyle: "full", timeStyle: "long" });

/** How long ago something was; the exact time on hover and on focus. */
export function RelativeTime({ instant }: { instant: string }) {
  const now = useNow();
  const date = new Date(instant);
  const text = relativeTime(date, now);
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: without a mouse, the exact time shows on focus.
    <time dateTime={instant} title={exact.format(date)} tabIndex={0}>
      {text}
    </time>
  );
}
