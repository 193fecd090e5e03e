import { Table } from "@mantine/core";
import { useState } from "react";
import type { ApiKey } from "../../api/apiKey.ts";
import { Icon } from "../../parts/Icon.tsx";
import type { OpenDialog, Rotations } from "../KeyDialog.tsx";
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

const sortIcons = {
  none: "m8 9 4-4 4 4M8 15l4 4 4-4",
  ascending: "M12 19V5M6 11l6-6 6 6",
  descending: "M12 5v14M6 13l6 6 6-6",
};

/**
 * The keys, newest first by default. On a narrow screen the styles turn rows into cards, which hides the table from screen readers:
 * the explicit roles restore it.
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
                  {label} <Icon path={sortIcons[directionOf(column, sorting)]} />
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

function directionOf(column: SortColumn, sorting: Sorting): keyof typeof sortIcons {
  if (sorting.column !== column) return "none";
  return sorting.descending ? "descending" : "ascending";
}
