import { Box, Group, Table, Text } from "@mantine/core";
import { useId } from "react";
import { useKeyUsage } from "../api/queries.ts";
import type { UsageDay } from "../api/types.ts";
import { Facts, Section } from "../parts/ItemPage.tsx";
import { Rows } from "../parts/ListPanel.tsx";

const count = new Intl.NumberFormat("en-GB");
const share = new Intl.NumberFormat("en-GB", { style: "percent", maximumFractionDigits: 1 });

export function UsageSection({ keyId }: { keyId: string }) {
  const { data: { days: rows } = {}, error, refetch: retry } = useKeyUsage(keyId);
  return (
    <Section id="usage" title="Requests in the last 30 days">
      <Rows list={{ rows, error, retry }} what="the usage" failure="The usage could not be loaded" empty={null}>
        {(days) => <Totals days={days} />}
      </Rows>
    </Section>
  );
}

function Totals({ days }: { days: UsageDay[] }) {
  const totals = usageTotals(days);
  if (totals.requests + totals.refused === 0) return <Text size="sm">No requests in the last 30 days.</Text>;
  const errors = (number: number) => `${count.format(number)} (${share.format(number / Math.max(1, totals.requests))})`;
  return (
    <Facts
      isLarge
      facts={{
        Requests: count.format(totals.requests),
        "Request errors (4xx)": errors(totals.client_errors),
        "Service errors (5xx)": errors(totals.server_errors),
        "Rejected (key revoked or organisation suspended)": totals.refused > 0 && count.format(totals.refused),
      }}
    />
  );
}

/** The same requests by day, as a chart and as a table. */
export function DaysSection({ keyId }: { keyId: string }) {
  const { data: { days = [] } = {} } = useKeyUsage(keyId);
  if (usageTotals(days).requests === 0) return null;
  return (
    <Section id="days" title="Requests by day">
      <UsageChart days={days} />
      <UsageTable days={days} />
      <Text size="sm" c="dimmed" mt="sm">
        Days are in UTC. Numbers are up to a minute old.
      </Text>
    </Section>
  );
}

/** Units of the drawing, which is stretched to the page's width. */
const height = 160;
const dayWidth = 24;
const barWidth = 16;
const gap = 1;
/** Keeps a few errors among many requests visible. */
const smallestPart = 8;

const kinds = [
  { name: "Service errors (5xx)", className: "usage-5xx", of: (day: UsageDay) => day.server_errors },
  { name: "Request errors (4xx)", className: "usage-4xx", of: (day: UsageDay) => day.client_errors },
  { name: "Successful", className: "usage-2xx", of: successes },
];

/** One bar for each day, with errors at its foot. Each kind has its own colour and pattern: solid, striped, outlined. */
function UsageChart({ days }: { days: UsageDay[] }) {
  const stripes = useId();
  const top = Math.max(...days.map(({ requests }) => requests));
  return (
    <Box component="figure" className="usage-chart" p="md" mx={0} my="sm">
      <Group component="ul" aria-hidden="true" gap="md" p={0} m={0} fz="xs">
        {kinds.toReversed().map(({ name, className }) => (
          <Group component="li" key={className} gap={6}>
            <svg viewBox="0 0 16 16" width="14" height="14" aria-hidden="true">
              <rect x="1" y="1" width="14" height="14" className={className} fill={`url(#${stripes})`} />
            </svg>
            {name}
          </Group>
        ))}
      </Group>
      <Text size="xs" c="dimmed" aria-hidden="true">
        {count.format(top)}
      </Text>
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
      <Group justify="space-between" fz="xs" c="dimmed" aria-hidden="true">
        <span>{dayName(days.at(0)?.date ?? "")}</span>
        <span>Today</span>
      </Group>
    </Box>
  );
}

interface DayProps {
  day: UsageDay;
  left: number;
  top: number;
  stripes: string;
}

function Day({ day, left, top, stripes }: DayProps) {
  const heights = partHeights(kinds.map(({ of }) => (of(day) / top) * height));
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
      {kinds.map(({ className }, index) => {
        const part = heights[index] ?? 0;
        if (part === 0) return null;
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

/** Makes small parts visible at the cost of the largest, so that the bar's height stays that of its number. */
function partHeights(exact: number[]): number[] {
  if (sum(exact) === 0) return exact;
  const visible = exact.map((part) => (part === 0 ? 0 : Math.max(smallestPart, part)));
  const added = sum(visible) - Math.max(sum(exact), Math.min(...visible.filter((part) => part > 0)));
  const largest = visible.indexOf(Math.max(...visible));
  return visible.map((part, index) => (index === largest ? Math.max(smallestPart, part - added) : part));
}

function sum(numbers: number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}

/** The chart's numbers, latest day first. */
function UsageTable({ days }: { days: UsageDay[] }) {
  return (
    <details>
      <Text component="summary" size="sm" w="max-content">
        Show as a table
      </Text>
      <Table aria-label="Requests by day" verticalSpacing={4} tabularNums maw="32rem" fz="xs">
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

/** The operations that the key calls most, if any. */
export function OperationsSection({ keyId }: { keyId: string }) {
  const { data: { operations = [] } = {} } = useKeyUsage(keyId);
  if (operations.length === 0) return null;
  return (
    <Section id="operations" title="Top operations in the last 30 days">
      <ol className="activity">
        {operations.slice(0, shown).map(({ operation_id, requests }) => (
          <li key={operation_id}>
            {operation_id} <span>{count.format(requests)}</span>
          </li>
        ))}
      </ol>
    </Section>
  );
}

const format = new Intl.DateTimeFormat("en-GB", { day: "numeric", month: "short", timeZone: "UTC" });

/** A day in UTC: "4 Feb". */
function dayName(date: string): string {
  return format.format(new Date(date));
}

function usageTotals(days: UsageDay[]): Omit<UsageDay, "date"> {
  return {
    requests: sum(days.map((day) => day.requests)),
    client_errors: sum(days.map((day) => day.client_errors)),
    server_errors: sum(days.map((day) => day.server_errors)),
    refused: sum(days.map((day) => day.refused)),
  };
}

function successes({ requests, client_errors, server_errors }: UsageDay): number {
  return requests - client_errors - server_errors;
}
