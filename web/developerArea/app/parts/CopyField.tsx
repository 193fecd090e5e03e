import { Button, Group, Input } from "@mantine/core";
import { useEffect, useId, useRef, useState } from "react";

interface CopyFieldProps {
  label: string;
  description?: string;
  /** The label of the button, so that several buttons differ. */
  copyLabel: string;
  value: string;
  rows: number;
  autoFocus?: boolean;
}

/** A text to copy. If the browser denies access to the clipboard, the text is selected instead. */
export function CopyField({ label, description, copyLabel, value, rows, autoFocus }: CopyFieldProps) {
  const id = useId();
  const field = useRef<HTMLTextAreaElement>(null);
  const [outcome, setOutcome] = useState("");
  useEffect(() => {
    if (autoFocus) field.current?.focus();
  }, [autoFocus]);
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(value);
      setOutcome("Copied.");
    } catch {
      field.current?.focus();
      field.current?.select();
      setOutcome("Selected. Press Ctrl+C, or Command+C on a Mac, to copy.");
    }
  };
  return (
    <Input.Wrapper label={label} description={description} labelProps={{ htmlFor: id }}>
      <textarea
        id={id}
        ref={field}
        className="copy-field"
        rows={rows}
        value={value}
        readOnly
        autoComplete="off"
        // A spelling checker may send the text to another service.
        spellCheck={false}
        onFocus={(event) => event.currentTarget.select()}
      />
      <Group gap={12} mt={6} fz="sm">
        <Button variant="light" size="xs" onClick={copy}>
          {copyLabel}
        </Button>
        <span role="status">{outcome}</span>
      </Group>
    </Input.Wrapper>
  );
}
