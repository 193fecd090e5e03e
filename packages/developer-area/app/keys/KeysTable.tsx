import { Badge, Table, VisuallyHidden } from "@mantine/core";
import { memo, type ReactNode, useMemo } from "react";
import { useStoppedCalling } from "../api/queries.ts";
import type { ApiKey } from "../api/types.ts";
import { Icon, PersonName, RelativeTime, TimeUntil } from "../parts/Labels.tsx";
import { KeyActions, type OpenDialog } from "./KeyDialog.tsx";
import { KeyLink, KeyStatus, LastUse } from "./KeyLabels.tsx";
import { scopesOf, successorOf } from "./keyRules.ts";
import type { SortColumn, Sorting } from "./listView.ts";

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
  { label: "Actions" },
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

interface KeyRowProps {
  apiKey: ApiKey;
  predecessor: ApiKey | undefined;
  successor: ApiKey | undefined;
  rotating: boolean;
  onOpen: (dialog: OpenDialog) => void;
}

/** Plain elements, because a page of Mantine's cells takes twice as long to sort. */
const KeyRow = memo(({ apiKey, predecessor, successor, rotating, onOpen }: KeyRowProps) => {
  const { prefix, scopes, created, created_by, status, revoked, revokes_at } = apiKey;
  const stopped = useStoppedCalling(apiKey);
  return (
    // biome-ignore lint/a11y/noRedundantRoles: the styles of narrow screens would remove it.
    <tr role="row" data-status={status}>
      {/* biome-ignore lint/a11y/noRedundantRoles: as above. */}
      <th role="rowheader" scope="row">
        <div className="one-line">
          <KeyLink apiKey={apiKey} />
        </div>
        <div className="one-line key-detail">
          <code>{prefix}</code>
          {successor && <Relation label="Replaced by" other={successor} />}
          {predecessor && <Relation label="Replaces" other={predecessor} />}
        </div>
      </th>
      <Cell label="Scopes">
        <span title={scopes.join(", ")}>
          {scopesOf(scopes)
            .map(({ short }) => short)
            .join(" · ")}
        </span>
      </Cell>
      <Cell label="Created">
        <RelativeTime instant={created} />
        <div className="one-line key-detail" title={created_by}>
          by <PersonName name={created_by} />
        </div>
      </Cell>
      <Cell label="Last used">
        <LastUse apiKey={apiKey} />
        {stopped && <StoppedCalling reason={stopped} />}
      </Cell>
      <Cell label="Status">
        <KeyStatus status={status} />
        {revoked !== null && (
          <div className="key-detail">
            <RelativeTime instant={revoked} />
          </div>
        )}
        {revokes_at !== null && (
          <div className="key-detail">
            ends <TimeUntil instant={revokes_at} />
          </div>
        )}
      </Cell>
      <Cell label="Actions">
        {status === "active" && <KeyActions apiKey={apiKey} rotating={rotating} onOpen={onOpen} />}
      </Cell>
    </tr>
  );
});

function Relation({ label, other }: { label: string; other: ApiKey }) {
  return (
    <>
      {" "}
      {label} <KeyLink apiKey={other} inText />
    </>
  );
}

function Cell({ label, children }: { label: string; children: ReactNode }) {
  return (
    // biome-ignore lint/a11y/noRedundantRoles: as above.
    <td role="cell" data-label={label}>
      {children}
    </td>
  );
}

/** Marks a key that was used daily and has fallen silent. */
function StoppedCalling({ reason }: { reason: string }) {
  return (
    <Badge className="status" tt="none" variant="light" color="yellow" size="sm" title={reason}>
      Stopped calling<VisuallyHidden>: {reason}</VisuallyHidden>
    </Badge>
  );
}
