import { Text } from "@mantine/core";
import { Fragment, type ReactNode } from "react";
import { useNow } from "./hooks.ts";
import { relativeTime } from "./relativeTime.ts";

/** A line drawing in the text colour. Hidden from screen readers: the text beside it has the same meaning. */
export function Icon({ path, size = "1em" }: { path: string; size?: string }) {
  return (
    <svg className="icon" viewBox="0 0 24 24" width={size} height={size} aria-hidden="true">
      <path d={path} />
    </svg>
  );
}

/** A person's name, mostly an e-mail address. A line breaks only after @ and dots, unless a part is too long for a line. */
export function PersonName({ name }: { name: string }) {
  return (
    <span className="breakable">
      {[...name.matchAll(/[^@.]*[@.]|[^@.]+/g)].map(({ 0: part, index }) => (
        <Fragment key={index}>
          {part}
          <wbr />
        </Fragment>
      ))}
    </span>
  );
}

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

interface ActivityEntryProps {
  person: string;
  time: string;
  /** What the person did. */
  children: ReactNode;
}

/** An item of a list of activity: who did what, and when. */
export function ActivityEntry({ person, time, children }: ActivityEntryProps) {
  return (
    <li>
      <span>
        <b>
          <PersonName name={person} />
        </b>{" "}
        {children}
      </span>
      <Text size="sm" c="dimmed" component="span">
        <RelativeTime instant={time} />
      </Text>
    </li>
  );
}
