import type { ReactNode } from "react";
import { Icon } from "./Labels.tsx";

/** A column by which the rows can be sorted. */
interface SortableColumn {
  label: string;
  /** The present order of the rows. */
  order: keyof typeof sortIcons;
  onSort: () => void;
}

const sortIcons = {
  none: "m8 9 4-4 4 4M8 15l4 4 4-4",
  ascending: "M12 19V5M6 11l6-6 6 6",
  descending: "M12 5v14M6 13l6 6 6-6",
};

interface CardTableProps {
  className: string;
  "aria-label"?: string;
  "aria-labelledby"?: string;
  columns: (string | SortableColumn)[];
  /** Rows of {@link CardRow}. */
  children: ReactNode;
}

// The styles of narrow screens hide the table from screen readers, and explicit roles restore it.
const [table, rowGroup, row, columnHeader, rowHeader, cell] = [
  "table",
  "rowgroup",
  "row",
  "columnheader",
  "rowheader",
  "cell",
].map((role) => ({ role }));

/** A table whose rows are cards on a narrow screen. It uses plain elements, because sorting Mantine's cells takes twice as long. */
export function CardTable({ className, columns, children, ...label }: CardTableProps) {
  return (
    <table className={`cards ${className}`} {...table} {...label}>
      <thead {...rowGroup}>
        <tr {...row}>
          {columns.map((column) =>
            typeof column === "string" ? (
              <th key={column} {...columnHeader} scope="col" data-label={column}>
                {column}
              </th>
            ) : (
              <th key={column.label} {...columnHeader} scope="col" data-label={column.label} aria-sort={column.order}>
                <button type="button" className="sort" onClick={column.onSort}>
                  {column.label} <Icon path={sortIcons[column.order]} />
                </button>
              </th>
            ),
          )}
        </tr>
      </thead>
      <tbody {...rowGroup}>{children}</tbody>
    </table>
  );
}

interface CardRowProps {
  status?: string;
  /** The first cell, if it names the row. */
  header?: ReactNode;
  /** Contents by the label of the column. */
  cells: Record<string, ReactNode>;
}

export function CardRow({ status, header, cells }: CardRowProps) {
  return (
    <tr {...row} data-status={status}>
      {header && (
        <th {...rowHeader} scope="row">
          {header}
        </th>
      )}
      {Object.entries(cells).map(([label, content]) => (
        <td key={label} {...cell} data-label={label}>
          {content}
        </td>
      ))}
    </tr>
  );
}
