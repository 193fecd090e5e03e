import { Button, Text } from "@mantine/core";
import { useState } from "react";
import type { ApiKeyActivity } from "../api/apiKeyActivity.ts";
import { PersonName } from "../parts/PersonName.tsx";
import { RelativeTime } from "../parts/RelativeTime.tsx";

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
          {shown.map((row) => (
            <Entry key={row.id} row={row} />
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

function Entry({ row: { action, actor, key_name, key_prefix, time } }: { row: ApiKeyActivity }) {
  return (
    <li>
      <span>
        <b>
          <PersonName name={actor} />
        </b>{" "}
        {action} <b className="key-name">{key_name}</b> <code>{key_prefix}</code>
      </span>
      <Text size="sm" c="dimmed" component="span">
        <RelativeTime instant={time} />
      </Text>
    </li>
  );
}
