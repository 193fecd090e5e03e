import { Badge, VisuallyHidden } from "@mantine/core";

/** Marks a key that was used daily and has fallen silent. */
export function StoppedCalling({ reason }: { reason: string }) {
  return (
    <Badge className="status" tt="none" variant="light" color="yellow" size="sm" title={reason}>
      Stopped calling<VisuallyHidden>: {reason}</VisuallyHidden>
    </Badge>
  );
}
