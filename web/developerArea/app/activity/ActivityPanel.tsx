import { Box, Button, Group, Text, Title } from "@mantine/core";
import { useEffect, useState } from "react";
import { usePages } from "../api/usePages.ts";
import { ErrorNotice } from "../parts/ErrorNotice.tsx";
import { Waiting } from "../parts/Waiting.tsx";
import { useAdmin } from "../session/admin.ts";
import { ActivityFilters } from "./ActivityFilters.tsx";
import { ActivityList } from "./ActivityList.tsx";
import { activityCsv } from "./activityCsv.ts";
import { everything, isActive, matches } from "./activityFilter.ts";
import { download } from "./download.ts";
import { usePeople } from "./usePeople.ts";

/** Filters and the download need all entries, so all pages are loaded for them. */
export function ActivityPanel() {
  const { api } = useAdmin();
  const {
    rows: entries,
    error,
    isPaused,
    isFetching,
    isFetchingNextPage,
    hasNextPage,
    fetchNextPage,
    retry,
  } = usePages(["api-key-activity"], api.listActivity);
  const [filter, setFilter] = useState(everything);
  const [downloading, setDownloading] = useState(false);
  const loadsAll = (downloading || isActive(filter)) && hasNextPage;
  const people = usePeople(entries?.map(({ actor }) => actor));
  const matching = entries?.filter((entry) => matches(entry, filter));

  useEffect(() => {
    if (loadsAll && !isFetching && !error) void fetchNextPage({ cancelRefetch: false });
  }, [loadsAll, isFetching, error, fetchNextPage]);
  useEffect(() => {
    if (!downloading || hasNextPage || isFetching || error || !matching) return;
    setDownloading(false);
    const date = new Date().toISOString().slice(0, "YYYY-MM-DD".length);
    download(`api-key-activity-${date}.csv`, "text/csv;charset=utf-8", activityCsv(matching));
  }, [downloading, hasNextPage, isFetching, error, matching]);

  return (
    <>
      <Title order={2} size="h3" mb="md">
        Activity
      </Title>
      {entries && entries.length > 0 && (
        <Group gap="sm" mb="md">
          <ActivityFilters people={people} filter={filter} onChange={setFilter} />
          <Button variant="default" loading={downloading && !error} onClick={() => setDownloading(true)}>
            Download CSV
          </Button>
        </Group>
      )}
      {error && (
        <Box mb="md">
          <ErrorNotice title="The activity could not be loaded" error={error} onRetry={retry} />
        </Box>
      )}
      {!entries && !error && <Waiting label="Loading the activity" paused={isPaused} />}
      {entries?.length === 0 && <Text c="dimmed">No key has been created or revoked yet.</Text>}
      {loadsAll && !error && (
        <Text size="sm" c="dimmed" mb="sm" role="status">
          Loading all entries: {entries?.length ?? 0} so far…
        </Text>
      )}
      {entries && matching && entries.length > 0 && (
        <ActivityList
          key={JSON.stringify(filter)}
          entries={matching}
          filtered={isActive(filter)}
          hasNextPage={hasNextPage}
          isFetchingNextPage={isFetchingNextPage}
          onMore={() => void fetchNextPage()}
        />
      )}
    </>
  );
}
