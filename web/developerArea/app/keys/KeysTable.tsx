import { Table } from "@mantine/core";
import { useState } from "react";
import type { ApiKey } from "../api/apiKey.ts";
import type { OpenDialog, Rotations } from "./KeyDialog.tsx";
import { KeyRow } from "./KeyRow.tsx";
import { type SortColumn, type Sorting, sortKeys } from "./sortKeys.ts";

interface KeysTableProps {
  keys: ApiKey[];
  rotations: Rotations;
  onOpen: (dialog: OpenDialog) => void;
}

const columns: { label: string; column?: SortColumn }[] = [
  { label: "Name", column: "name" },
  { label: "Prefix" },
  { label: "Scopes" },
  { label: "Created", column: "created" },
  { label: "Last used", column: "last_used" },
  { label: "Status", column: "status" },
  { label: "Actions" },
];

/**
 * The keys, newest first until sorted otherwise. On a narrow screen the styles make a card of each row, which would take the
 * table's meaning away from a screen reader: hence the roles.
 */
export function KeysTable({ keys, rotations, onOpen }: KeysTableProps) {
  const [sorting, setSorting] = useState<Sorting>({ column: "created", descending: true });
  const sortBy = (column: SortColumn) =>
    setSorting({ column, descending: sorting.column === column ? !sorting.descending : column !== "name" });
  return (
    <Table className="keys" role="table" aria-label="API keys" verticalSpacing="sm" highlightOnHover>
      <Table.Thead role="rowgroup">
        <Table.Tr role="row">
          {columns.map(({ label, column }) => (
            <Table.Th key={label} role="columnheader" scope="col" aria-sort={column && directionOf(column, sorting)}>
              {column ? (
                <button type="button" className="sort" onClick={() => sortBy(column)}>
                  {label}
                </button>
              ) : (
                label
              )}
            </Table.Th>
          ))}
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody role="rowgroup">
        {sortKeys(keys, sorting).map((key) => (
          <KeyRow key={key.id} apiKey={key} rotating={key.id in rotations} onOpen={onOpen} />
        ))}
        {keys.length === 0 && (
          <Table.Tr role="row">
            <Table.Td role="cell" colSpan={columns.length}>
              No key has this status.
            </Table.Td>
          </Table.Tr>
        )}
      </Table.Tbody>
    </Table>
  );
}

function directionOf(column: SortColumn, sorting: Sorting): "ascending" | "descending" | "none" {
  if (sorting.column !== column) return "none";
  return sorting.descending ? "descending" : "ascending";
}
