import { Table } from "@mantine/core";
import type { UsageDay } from "../../api/keyUsage.ts";
import { dayName } from "./dayName.ts";
import { successes } from "./usageTotals.ts";

/** The chart's numbers, latest day first. */
export function UsageTable({ days }: { days: UsageDay[] }) {
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
