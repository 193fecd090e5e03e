import { Button, Text } from "@mantine/core";
import { useState } from "react";
import type { ApiKeyActivity } from "../api/apiKeyActivity.ts";
import { ActivityEntry } from "../parts/ActivityEntry.tsx";

interface ActivityListProps {
  /** The loaded entries that match the filter. */
  entries: ApiKeyActivity[];
  filtered: boolean;
  hasNextPage: boolean;
  isFetchingNextPage: boolean;
  onMore: () => void;
}

const step = 50;

/** The latest entries, and more on demand. */
export function ActivityList({ entries, filtered, hasNextPage, isFetchingNextPage, onMore }: ActivityListProps) {
  const [limit, setLimit] = useState(step);
  const shown = entries.slice(0, limit);
  const hasMore = shown.length < entries.length || hasNextPage;
  const showMore = () => {
    setLimit(limit + step);
    if (limit + step > entries.length && hasNextPage) onMore();
  };
  return (
    <>
      {shown.length > 0 && (
        <ol className="activity">
          {shown.map(({ id, action, actor, key_name, key_prefix, time }) => (
            <ActivityEntry key={id} person={actor} time={time}>
              {action} <b className="key-name">{key_name}</b> <code>{key_prefix}</code>
            </ActivityEntry>
          ))}
        </ol>
      )}
      {hasMore && (
        <Button variant="default" mt="md" loading={isFetchingNextPage} onClick={showMore}>
          Show more
        </Button>
      )}
      <Text size="sm" c="dimmed" mt="md" role="status">
        {summary()}
      </Text>
    </>
  );

  function summary(): string {
    if (entries.length === 0) return hasNextPage ? "" : "No entry matches.";
    if (hasMore) return `The latest ${shown.length} entries.`;
    if (filtered) return entries.length === 1 ? "1 entry matches." : `${entries.length} entries match.`;
    return `All ${entries.length} entries. Nothing is ever removed from this list.`;
  }
}
