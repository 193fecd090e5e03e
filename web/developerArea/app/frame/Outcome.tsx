import { CloseButton } from "@mantine/core";

/** The outcome of the person's last action. */
export function Outcome({ text, onDismiss }: { text: string; onDismiss: () => void }) {
  return (
    <div className="outcome" data-empty={text ? undefined : ""}>
      <span role="status">{text}</span>
      {text && <CloseButton aria-label="Dismiss" size="sm" onClick={onDismiss} />}
    </div>
  );
}
