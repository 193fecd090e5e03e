import { Fragment } from "react";
import { useNow } from "./hooks.ts";
import { relativeTime } from "./relativeTime.ts";

/** A line drawing in the text colour. Hidden from screen readers: the adjacent text has the same meaning. */
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

/** A past instant in relative words, with the exact time on hover. People without a mouse find exact times on a key's page. */
export function RelativeTime({ instant }: { instant: string }) {
  const date = new Date(instant);
  return (
    <time dateTime={instant} title={exact.format(date)}>
      {relativeTime(date, useNow())}
    </time>
  );
}

const short = new Intl.DateTimeFormat("en-GB", {
  day: "numeric",
  month: "short",
  year: "numeric",
  hour: "2-digit",
  minute: "2-digit",
  timeZoneName: "short",
});

/** The exact time, in the person's time zone, which it names. */
export function exactTime(instant: string): string {
  return short.format(new Date(instant));
}

export function ExactTime({ instant }: { instant: string }) {
  return <time dateTime={instant}>{exactTime(instant)}</time>;
}

export function Detail({ instant }: { instant: string }) {
  return (
    <div className="detail">
      <ExactTime instant={instant} />
    </div>
  );
}

export function Done({ time, person }: { time: string; person: string }) {
  return (
    <>
      <RelativeTime instant={time} /> by <PersonName name={person} />
      <Detail instant={time} />
    </>
  );
}
