import { Box, Button, Group, Stack, Text, Title } from "@mantine/core";
import { type ReactNode, useState } from "react";
import { ErrorNotice, Waiting } from "./Notices.tsx";

/** A query whose rows are all loaded, or only the latest. */
interface List<Row> {
  rows: Row[] | undefined;
  error: Error | null;
  retry: () => void;
}

interface RowsProps<Row> {
  list: List<Row>;
  /** "the keys" */
  what: string;
  /** "The keys could not be loaded" */
  failure: string;
  empty: ReactNode;
  children: (rows: Row[]) => ReactNode;
}

/** The rows of a list, or a notice that they are loading, failed to load, or do not exist. */
export function Rows<Row>({ list, what, failure, empty, children }: RowsProps<Row>) {
  const { rows, error, retry } = list;
  return (
    <>
      {error && <ErrorNotice title={failure} error={error} onRetry={() => retry()} />}
      {!rows && !error && <Waiting label={`Loading ${what}`} />}
      {rows?.length === 0 && empty}
      {rows !== undefined && rows.length > 0 && <Box>{children(rows)}</Box>}
    </>
  );
}

interface ListPanelProps<Row> extends RowsProps<Row> {
  title: string;
  titleId?: string;
  intro?: string;
  /** Next to the title, if there are rows. */
  action?: ReactNode;
  /** Above the rows, if there are any. */
  filters?: ReactNode;
}

export function ListPanel<Row>({ title, titleId, intro, action, filters, ...rows }: ListPanelProps<Row>) {
  const hasRows = rows.list.rows !== undefined && rows.list.rows.length > 0;
  return (
    <Stack>
      <Group justify="space-between">
        <Title order={2} size="h3" id={titleId}>
          {title}
        </Title>
        {hasRows && action}
      </Group>
      {intro && (
        <Text size="sm" c="dimmed">
          {intro}
        </Text>
      )}
      {hasRows && filters && (
        <Group className="filters" gap="sm">
          {filters}
        </Group>
      )}
      <Rows {...rows} />
    </Stack>
  );
}

interface Pages {
  error: Error | null;
  hasNextPage: boolean;
  isFetchingNextPage: boolean;
  fetchNextPage: () => unknown;
}

export function MoreButton({ isLoading = false, onClick }: { isLoading?: boolean | undefined; onClick: () => void }) {
  return (
    <Button variant="default" size="xs" mt="sm" loading={isLoading} onClick={onClick}>
      Show more
    </Button>
  );
}

const step = 50;

interface LatestProps<Row> {
  /** Without it, all rows are loaded. */
  list?: Pages & { rows: unknown[] | undefined; loadsAll: boolean };
  /** The loaded rows that match the filters. */
  matching: Row[];
  /** "entries" */
  what: string;
  /** A summary once all rows are shown. */
  summary: (count: number) => string;
  children: (shown: Row[]) => ReactNode;
}

/** The first rows of a list, and more on demand. */
export function Latest<Row>({ list, matching, what, summary, children }: LatestProps<Row>) {
  const [limit, setLimit] = useState(step);
  const shown = matching.slice(0, limit);
  const isLoading = list?.loadsAll && !list.error;
  const hasMore = !list?.loadsAll && (shown.length < matching.length || list?.hasNextPage);
  const showMore = () => {
    setLimit(limit + step);
    if (limit + step > matching.length && list?.hasNextPage) void list.fetchNextPage();
  };
  return (
    <>
      {shown.length > 0 && children(shown)}
      {hasMore && <MoreButton isLoading={list?.isFetchingNextPage} onClick={showMore} />}
      <Text size="sm" c="dimmed" mt="md" role="status">
        {isLoading
          ? `Loading all ${what}: ${list.rows?.length ?? 0} so far…`
          : hasMore
            ? `Showing ${shown.length} ${what}.`
            : summary(matching.length)}
      </Text>
    </>
  );
}
