import { Button, Paper, Text } from "@mantine/core";
import { useRef } from "react";
import type { ApiKey } from "../../api/apiKey.ts";
import type { OpenDialog } from "../KeyDialog.tsx";
import { KeysTable } from "./KeysTable.tsx";
import { ListFilters } from "./ListFilters.tsx";
import { type ListView, matches, rowsPerPage, withoutFilter } from "./listView.ts";
import { Pager } from "./Pager.tsx";
import { sortKeys } from "./sortKeys.ts";

interface KeyListProps {
  keys: ApiKey[];
  view: ListView;
  onView: (view: ListView) => void;
  onOpen: (dialog: OpenDialog) => void;
}

/** The keys that match the filters, page by page. Only the rows of one page are rendered. */
export function KeyList({ keys, view, onView, onOpen }: KeyListProps) {
  const top = useRef<HTMLDivElement>(null);
  const matching = sortKeys(
    keys.filter((key) => matches(key, view)),
    view.sorting,
  );
  // A key may leave the list while its last page is open.
  const page = Math.max(0, Math.min(view.page, Math.ceil(matching.length / rowsPerPage) - 1));
  const turnTo = (page: number) => {
    onView({ ...view, page });
    top.current?.scrollIntoView();
  };
  return (
    <div ref={top}>
      <ListFilters keys={keys} view={view} onChange={(change) => onView({ ...view, page: 0, ...change })} />
      {matching.length === 0 ? (
        <Paper withBorder radius="md" className="empty-keys">
          <Text role="status" fw={600}>
            No key matches
          </Text>
          <Button variant="default" onClick={() => onView({ ...view, ...withoutFilter })}>
            Clear the filters
          </Button>
        </Paper>
      ) : (
        <>
          <KeysTable
            keys={keys}
            shown={matching.slice(page * rowsPerPage, (page + 1) * rowsPerPage)}
            sorting={view.sorting}
            onSort={(sorting) => onView({ ...view, page: 0, sorting })}
            onOpen={onOpen}
          />
          <Pager page={page} count={matching.length} onChange={turnTo} />
        </>
      )}
    </div>
  );
}
