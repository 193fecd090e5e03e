import { CloseButton } from "@mantine/core";

/** What came of the last thing that the person did. */
export function Outcome({ text, onDismiss }: { text: string; onDismiss: () => void }) {
  return (
    <div className="outcome" data-empty={text ? undefined : ""}>
      <span role="status">{text}</span>
      {text && <CloseButton aria-label="Dismiss" size="sm" onClick={onDismiss} />}
    </div>
  );
}
