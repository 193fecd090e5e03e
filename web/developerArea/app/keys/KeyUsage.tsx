import { Table, Text, Title } from "@mantine/core";
import { useId } from "react";
import { useKeyUsage } from "../api/queries.ts";
import type { UsageDay } from "../api/schemas.ts";
import { ErrorNotice, Waiting } from "../parts/Notices.tsx";
import { Fact } from "./KeyFacts.tsx";

const count = new Intl.NumberFormat("en-GB");
const share = new Intl.NumberFormat("en-GB", { style: "percent", maximumFractionDigits: 1 });

/** The requests of the last 30 days: in total and by day. */
export function UsageSection({ keyId }: { keyId: string }) {
  const { data: usage, error, refetch, isPaused } = useKeyUsage(keyId);
  return (
    <section aria-labelledby="usage">
      <Title order={3} size="h5" id="usage">
        Requests in the last 30 days
      </Title>
      {error && <ErrorNotice title="The usage could not be loaded" error={error} onRetry={() => void refetch()} />}
      {!usage && !error && <Waiting label="Loading the usage" paused={isPaused} />}
      {usage && <Usage days={usage.days} />}
      <Text size="sm" c="dimmed" mt="sm">
        Days are in UTC. Numbers are up to a minute old. Requests that the gateway refused, such as those with a revoked
        key, are not counted.
      </Text>
    </section>
  );
}

function Usage({ days }: { days: UsageDay[] }) {
  const totals = usageTotals(days);
  if (totals.requests === 0) return <Text size="sm">No requests in the last 30 days.</Text>;
  const errors = (number: number) => `${count.format(number)} (${share.format(number / totals.requests)})`;
  return (
    <>
      <dl className="facts totals">
        <Fact name="Requests">{count.format(totals.requests)}</Fact>
        <Fact name="Client errors (4xx)">{errors(totals.client_errors)}</Fact>
        <Fact name="Server errors (5xx)">{errors(totals.server_errors)}</Fact>
      </dl>
      <UsageChart days={days} />
      <UsageTable days={days} />
    </>
  );
}

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
function UsageChart({ days }: { days: UsageDay[] }) {
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

/** The chart's numbers, latest day first. */
function UsageTable({ days }: { days: UsageDay[] }) {
  return (
    <details className="usage-table">
      <summary>Show as a table</summary>
      <Table aria-label="Requests by day" verticalSpacing={4} tabularNums>
        <Table.Thead>
          <Table.Tr>
            <Table.Th scope="col">Day (UTC)</Table.Th>
            <Table.Th scope="col">Successful</Table.Th>
            <Table.Th scope="col">4xx</Table.Th>
            <Table.Th scope="col">5xx</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {days.toReversed().map((day) => (
            <Table.Tr key={day.date}>
              <Table.Th scope="row">{dayName(day.date)}</Table.Th>
              <Table.Td>{successes(day)}</Table.Td>
              <Table.Td>{day.client_errors}</Table.Td>
              <Table.Td>{day.server_errors}</Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </details>
  );
}

const shown = 5;

/** What the key is used for: the operations that it calls most, if any. */
export function OperationsSection({ keyId }: { keyId: string }) {
  const { data: { operations = [] } = {} } = useKeyUsage(keyId);
  if (operations.length === 0) return null;
  return (
    <section aria-labelledby="operations">
      <Title order={3} size="h5" id="operations">
        Top operations in the last 30 days
      </Title>
      <ol className="activity">
        {operations.slice(0, shown).map(({ operation_id, requests }) => (
          <li key={operation_id}>
            {operation_id} <span>{requests.toLocaleString("en-GB")}</span>
          </li>
        ))}
      </ol>
    </section>
  );
}

const format = new Intl.DateTimeFormat("en-GB", { day: "numeric", month: "short", timeZone: "UTC" });

/** A day in UTC: "4 Feb". */
function dayName(date: string): string {
  return format.format(new Date(date));
}

/** The sums of several days. */
function usageTotals(days: UsageDay[]): Omit<UsageDay, "date"> {
  const sum = (field: "requests" | "client_errors" | "server_errors") =>
    days.reduce((total, day) => total + day[field], 0);
  return {
    requests: sum("requests"),
    client_errors: sum("client_errors"),
    server_errors: sum("server_errors"),
  };
}

/** The requests of a day that succeeded. */
function successes({ requests, client_errors, server_errors }: UsageDay): number {
  return requests - client_errors - server_errors;
}
