import { Alert, Skeleton, Stack, VisuallyHidden } from "@mantine/core";

const lines = ["first", "second", "third", "fourth"];

/** A placeholder for rows that are loading, or paused without a connection. */
export function Waiting({ label, paused }: { label: string; paused: boolean }) {
  if (paused) return <Alert color="yellow">You are offline. This loads as soon as the connection is back.</Alert>;
  return (
    <Stack gap={8} aria-busy="true">
      <VisuallyHidden role="status">{label}</VisuallyHidden>
      {lines.map((line) => (
        <Skeleton key={line} height={44} />
      ))}
    </Stack>
  );
}
