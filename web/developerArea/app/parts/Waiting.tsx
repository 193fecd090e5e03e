import { Alert, Skeleton, VisuallyHidden } from "@mantine/core";

const lines = ["first", "second", "third", "fourth"];

/** Stands where rows will be, while they are asked for, or cannot be asked for without a connection. */
export function Waiting({ label, paused }: { label: string; paused: boolean }) {
  if (paused) return <Alert color="yellow">You are offline. This loads as soon as the connection is back.</Alert>;
  return (
    <div aria-busy="true" className="waiting">
      <VisuallyHidden role="status">{label}</VisuallyHidden>
      {lines.map((line) => (
        <Skeleton key={line} height={44} />
      ))}
    </div>
  );
}
