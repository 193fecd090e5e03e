import { useId } from "react";
import type { UsageDay } from "../../api/keyUsage.ts";
import { dayName } from "./dayName.ts";
import { successes } from "./usageTotals.ts";

/** In the units of the drawing. Its width is stretched to the page's. */
const height = 160;
const dayWidth = 24;
const barWidth = 16;
const gap = 1;
/** So that a few errors among many requests are visible. */
const smallestPart = 8;

const kinds = [
  { name: "Server errors (5xx)", className: "usage-5xx", of: (day: UsageDay) => day.server_errors },
  { name: "Client errors (4xx)", className: "usage-4xx", of: (day: UsageDay) => day.client_errors },
  { name: "Successful", className: "usage-2xx", of: successes },
];

/** One bar for each day, with errors at its foot. Each kind has its own colour and pattern: solid, striped, outlined. */
export function UsageChart({ days }: { days: UsageDay[] }) {
  const stripes = useId();
  const top = Math.max(...days.map(({ requests }) => requests));
  return (
    <figure className="usage-chart">
      <ul aria-hidden="true">
        {kinds.toReversed().map(({ name, className }) => (
          <li key={className}>
            <svg viewBox="0 0 16 16" width="14" height="14" aria-hidden="true">
              <rect x="1" y="1" width="14" height="14" className={className} fill={`url(#${stripes})`} />
            </svg>
            {name}
          </li>
        ))}
      </ul>
      <div className="usage-scale" aria-hidden="true">
        {top.toLocaleString("en-GB")}
      </div>
      <svg
        role="img"
        aria-label={`Requests by day, up to ${top} a day. The table below has the numbers.`}
        viewBox={`0 0 ${days.length * dayWidth} ${height}`}
        preserveAspectRatio="none"
      >
        <defs>
          {/* Horizontal, because stretching the drawing does not change them. */}
          <pattern id={stripes} width="4" height="4" patternUnits="userSpaceOnUse">
            <rect width="4" height="4" className="usage-stripe-ground" />
            <rect width="4" height="2" className="usage-stripe" />
          </pattern>
        </defs>
        {days.map((day, index) => (
          <Day key={day.date} day={day} left={index * dayWidth} top={top} stripes={stripes} />
        ))}
      </svg>
      <div className="usage-days" aria-hidden="true">
        <span>{dayName(days.at(0)?.date ?? "")}</span>
        <span>Today</span>
      </div>
    </figure>
  );
}

interface DayProps {
  day: UsageDay;
  left: number;
  /** The highest number of requests in a day. */
  top: number;
  stripes: string;
}

function Day({ day, left, top, stripes }: DayProps) {
  let base = height;
  return (
    <g>
      <title>
        {`${dayName(day.date)}: ${kinds
          .map(({ name, of }) => `${name} ${of(day)}`)
          .reverse()
          .join(", ")}`}
      </title>
      {/* The whole height shows the tooltip. */}
      <rect x={left} width={dayWidth} height={height} className="usage-day" />
      {kinds.map(({ className, of }) => {
        if (of(day) === 0) return null;
        // The scale leaves room at the top for what `smallestPart` adds.
        const part = Math.max(smallestPart, (of(day) / top) * (height - 2 * smallestPart));
        base -= part;
        return (
          <rect
            key={className}
            className={className}
            fill={`url(#${stripes})`}
            x={left + (dayWidth - barWidth) / 2}
            width={barWidth}
            y={base}
            height={part - gap}
          />
        );
      })}
    </g>
  );
}
