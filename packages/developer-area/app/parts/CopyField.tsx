import { Button, Group, Textarea } from "@mantine/core";
import { type ClipboardEvent, type DragEvent, type ReactNode, useEffect, useRef, useState } from "react";
import { flushSync } from "react-dom";

interface CopyFieldProps {
  label: string;
  description?: ReactNode;
  /** Distinguishes several buttons on a page. */
  copyLabel: string;
  value: string;
  /** The part of the value that is hidden until the person asks to see it. While it is hidden, every way to copy takes the whole value. */
  secret?: string;
  /** The number of visible characters of the secret; by default the length of a prefix. */
  visiblePart?: number;
  rows: number;
  autoFocus?: boolean;
}

const copyStyles = {
  input: {
    background: "var(--surface)",
    fontFamily: "var(--mantine-font-family-monospace)",
    fontSize: "0.8125rem",
    overflowWrap: "anywhere",
    fieldSizing: "content",
  },
} as const;

/** A text to copy. If the browser denies access to the clipboard, the text is shown and selected instead. */
export function CopyField(props: CopyFieldProps) {
  const { label, description, copyLabel, value, secret, rows, autoFocus, visiblePart = "tsk_".length + 8 } = props;
  const field = useRef<HTMLTextAreaElement>(null);
  const [outcome, setOutcome] = useState("");
  const [isShown, setShown] = useState(secret === undefined);
  useEffect(() => {
    if (autoFocus) field.current?.focus();
  }, [autoFocus]);
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(value);
      setOutcome("Copied.");
    } catch {
      flushSync(() => setShown(true));
      field.current?.focus();
      field.current?.select();
      setOutcome("Selected. Press Ctrl+C, or Command+C on a Mac, to copy.");
    }
  };
  const copyHidden = (event: ClipboardEvent) => {
    if (isShown) return;
    event.preventDefault();
    event.clipboardData.setData("text/plain", value);
    setOutcome("Copied.");
  };
  const dragHidden = (event: DragEvent) => {
    if (!isShown) event.dataTransfer.setData("text/plain", value);
  };
  return (
    <div>
      <Textarea
        label={label}
        description={
          secret === undefined ? description : <>{description} Copying takes the real text, even while it is hidden.</>
        }
        ref={field}
        rows={rows}
        resize={rows > 2 ? "vertical" : "none"}
        styles={copyStyles}
        value={isShown ? value : hidden(value, secret, visiblePart)}
        readOnly
        autoComplete="off"
        // A spelling checker may send the text to another service.
        spellCheck={false}
        onFocus={(event) => event.currentTarget.select()}
        onCopy={copyHidden}
        onCut={copyHidden}
        onDragStart={dragHidden}
      />
      <Group gap={12} mt={6} fz="sm">
        <Button variant="light" size="xs" onClick={copy}>
          {copyLabel}
        </Button>
        {secret !== undefined && (
          <Button
            variant="subtle"
            size="xs"
            aria-label={`${isShown ? "Hide" : "Show"}: ${label}`}
            onClick={() => setShown(!isShown)}
          >
            {isShown ? "Hide" : "Show"}
          </Button>
        )}
        <span role="status">{outcome}</span>
      </Group>
    </div>
  );
}

function hidden(value: string, secret = "", visiblePart = 0): string {
  return value.replace(secret, secret.slice(0, visiblePart) + "•".repeat(Math.max(0, secret.length - visiblePart)));
}
