import { Button, Input } from "@mantine/core";
import { useEffect, useId, useRef, useState } from "react";

interface CopyFieldProps {
  label: string;
  description?: string;
  /** What the button says, so that two of them can be told apart. */
  copyLabel: string;
  value: string;
  rows: number;
  autoFocus?: boolean;
}

/** A text to take along. Where the browser does not let the page copy, the text is selected for the person to copy. */
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
        // A spelling checker may send what it checks elsewhere.
        spellCheck={false}
        onFocus={(event) => event.currentTarget.select()}
      />
      <span className="copy-actions">
        <Button variant="light" size="xs" onClick={copy}>
          {copyLabel}
        </Button>
        <span role="status">{outcome}</span>
      </span>
    </Input.Wrapper>
  );
}
