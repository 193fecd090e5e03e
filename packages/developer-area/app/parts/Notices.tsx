import { Alert, Button, CloseButton, Skeleton, Stack, Text, VisuallyHidden } from "@mantine/core";
import { type ReactNode, useEffect, useState } from "react";
import { ApiError } from "../api/adminApi.ts";

interface ErrorNoticeProps {
  title: string;
  error: Error;
  advice?: ReactNode;
  onRetry?: () => void;
}

/** An error, with the request id that an operator needs to find it. */
export function ErrorNotice({ title, error, advice, onRetry }: ErrorNoticeProps) {
  const requestId = error instanceof ApiError ? error.requestId : null;
  return (
    <Alert color="red" role="alert" title={title}>
      <Stack gap="xs" align="flex-start">
        <Text size="sm">{error instanceof ApiError ? error.message : "An unexpected error occurred."}</Text>
        {advice && <Text size="sm">{advice}</Text>}
        {requestId && (
          <Text size="sm">
            Request id: <code className="breakable">{requestId}</code>
          </Text>
        )}
        {onRetry && (
          <Button variant="default" size="xs" onClick={onRetry}>
            Retry
          </Button>
        )}
      </Stack>
    </Alert>
  );
}

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

/** An object, so that the same text again is another toast. */
export interface ToastText {
  text: string;
}

interface ToastProps {
  toast: ToastText | null;
  onDismiss: () => void;
}

const shownMs = 8000;

/** The outcome of the last action, for a few seconds. It waits while the pointer or the focus is on it. */
export function Toast({ toast, onDismiss }: ToastProps) {
  const [isHovered, setHovered] = useState(false);
  const [isFocused, setFocused] = useState(false);
  useEffect(() => {
    if (!toast || isHovered || isFocused) return;
    const timer = setTimeout(onDismiss, shownMs);
    return () => clearTimeout(timer);
  }, [toast, isHovered, isFocused, onDismiss]);
  const dismiss = () => {
    setHovered(false);
    setFocused(false);
    onDismiss();
    const target = document.querySelector("[role=dialog]") ?? document.getElementById("main");
    if (target instanceof HTMLElement) target.focus();
  };
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the pointer only pauses it.
    <div
      className="toast"
      data-empty={toast ? undefined : ""}
      onMouseEnter={() => setHovered(true)}
      onMouseLeave={() => setHovered(false)}
      onFocus={() => setFocused(true)}
      onBlur={() => setFocused(false)}
    >
      {/* Always rendered, because screen readers announce only changes. */}
      <span role="status">{toast?.text}</span>
      {toast && <CloseButton aria-label="Dismiss" size="sm" onClick={dismiss} />}
    </div>
  );
}
