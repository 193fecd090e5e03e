import { Button, Text, Title } from "@mantine/core";
import { useInfiniteQuery } from "@tanstack/react-query";
import type { ApiKeyActivity } from "../api/apiKeyActivity.ts";
import { ErrorNotice } from "../parts/ErrorNotice.tsx";
import { RelativeTime } from "../parts/RelativeTime.tsx";
import { Waiting } from "../parts/Waiting.tsx";
import { useAdmin } from "../session/admin.ts";

export function ActivityPanel() {
  const { api } = useAdmin();
  const { data, error, isPaused, refetch, hasNextPage, fetchNextPage, isFetchingNextPage } = useInfiniteQuery({
    queryKey: ["api-key-activity"],
    queryFn: ({ pageParam }) => api.listActivity(pageParam),
    initialPageParam: firstPage,
    getNextPageParam: ({ pagination }) => pagination.next_cursor,
  });
  const rows = data?.pages.flatMap((page) => page.data);
  return (
    <>
      <Title order={2} size="h3" mb="md">
        Activity
      </Title>
      {error && <ErrorNotice title="The activity could not be loaded" error={error} onRetry={() => void refetch()} />}
      {!rows && !error && <Waiting label="Loading the activity" paused={isPaused} />}
      {rows?.length === 0 && <Text c="dimmed">No key has been created or revoked yet.</Text>}
      {rows && rows.length > 0 && (
        <ol className="activity">
          {rows.map((row) => (
            <Entry key={row.id} row={row} />
          ))}
        </ol>
      )}
      {hasNextPage && (
        <Button variant="default" mt="md" loading={isFetchingNextPage} onClick={() => void fetchNextPage()}>
          Show more
        </Button>
      )}
      {rows && rows.length > 0 && (
        <Text size="sm" c="dimmed" mt="md" role="status">
          {hasNextPage
            ? `The latest ${rows.length} entries.`
            : `All ${rows.length} entries. Nothing is ever removed from this list.`}
        </Text>
      )}
    </>
  );
}

const firstPage: string | null = null;

function Entry({ row: { action, actor, key_name, key_prefix, time } }: { row: ApiKeyActivity }) {
  return (
    <li>
      <span>
        <b className="breakable">{actor}</b> {action} <b className="key-name">{key_name}</b> <code>{key_prefix}</code>
      </span>
      <Text size="sm" c="dimmed" component="span">
        <RelativeTime instant={time} />
      </Text>
    </li>
  );
}
