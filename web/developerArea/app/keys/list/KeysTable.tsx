import { Table } from "@mantine/core";
import { useMemo } from "react";
import type { ApiKey } from "../../api/apiKey.ts";
import { Icon } from "../../parts/Icon.tsx";
import type { OpenDialog } from "../KeyDialog.tsx";
import { successorOf } from "../rotate/successorOf.ts";
import { KeyRow } from "./KeyRow.tsx";
import type { SortColumn, Sorting } from "./sortKeys.ts";

interface KeysTableProps {
  /** All keys, for the names of predecessors and successors. */
  keys: ApiKey[];
  shown: ApiKey[];
  sorting: Sorting;
  onSort: (sorting: Sorting) => void;
  onOpen: (dialog: OpenDialog) => void;
}

const columns: { label: string; column?: SortColumn }[] = [
  { label: "Name", column: "name" },
  { label: "Scopes" },
  { label: "Created", column: "created" },
  { label: "Last used", column: "last_used" },
  { label: "Status", column: "status" },
];

const sortIcons = {
  none: "m8 9 4-4 4 4M8 15l4 4 4-4",
  ascending: "M12 19V5M6 11l6-6 6 6",
  descending: "M12 5v14M6 13l6 6 6-6",
};

/**
 * A page of keys. On a narrow screen the styles turn rows into cards, which hides the table from screen readers: the explicit roles
 * restore it.
 */
export function KeysTable({ keys, shown, sorting, onSort, onOpen }: KeysTableProps) {
  const byId = useMemo(() => new Map(keys.map((key) => [key.id, key])), [keys]);
  const sortBy = (column: SortColumn) =>
    onSort({ column, descending: sorting.column === column ? !sorting.descending : column !== "name" });
  return (
    <Table className="keys" role="table" aria-label="API keys">
      <Table.Thead role="rowgroup">
        <Table.Tr role="row">
          {columns.map(({ label, column }) => (
            <Table.Th
              key={label}
              role="columnheader"
              scope="col"
              aria-sort={column && directionOf(column, sorting)}
              data-label={label}
            >
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
        {shown.map((key) => (
          <KeyRow
            key={key.id}
            apiKey={key}
            predecessor={byId.get(key.replaces ?? "")}
            successor={byId.get(key.replaced_by ?? "")}
            rotating={successorOf(keys, key) !== null}
            onOpen={onOpen}
          />
        ))}
      </Table.Tbody>
    </Table>
  );
}

function directionOf(column: SortColumn, sorting: Sorting): keyof typeof sortIcons {
  if (sorting.column !== column) return "none";
  return sorting.descending ? "descending" : "ascending";
}
