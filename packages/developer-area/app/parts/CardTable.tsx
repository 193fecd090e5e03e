import { Table } from "@mantine/core";
import type { ReactNode } from "react";

interface CardTableProps {
  /** The id of the table's heading. */
  labelledBy: string;
  columns: string[];
  /** Each has a cell for each column. */
  rows: { key: string; cells: ReactNode[] }[];
}

/** A table whose rows are cards on a narrow screen. The styles then hide the table from screen readers, and the roles restore it. */
export function CardTable({ labelledBy, columns, rows }: CardTableProps) {
  return (
    <Table className="failures" role="table" aria-labelledby={labelledBy}>
      <Table.Thead role="rowgroup">
        <Table.Tr role="row">
          {columns.map((name) => (
            <Table.Th key={name} role="columnheader" scope="col">
              {name}
            </Table.Th>
          ))}
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody role="rowgroup">
        {rows.map(({ key, cells }) => (
          <Table.Tr role="row" key={key}>
            {columns.map((name, index) => (
              <Table.Td role="cell" key={name}>
                {cells[index]}
              </Table.Td>
            ))}
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  );
}
