import { Alert, Button, CloseButton, Group, Paper, Skeleton, Stack, Text, VisuallyHidden } from "@mantine/core";
import { useNetwork } from "@mantine/hooks";
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

/** A placeholder for rows that are loading, or wait for a connection. */
export function Waiting({ label }: { label: string }) {
  const { online } = useNetwork();
  if (!online) return <Alert color="yellow">You are offline. Loading continues when you are back online.</Alert>;
  return (
    <Stack gap={8} aria-busy="true">
      <VisuallyHidden role="status">{label}</VisuallyHidden>
      {lines.map((line) => (
        <Skeleton key={line} height={44} />
      ))}
    </Stack>
  );
}

interface EmptyListProps {
  title: string;
  text?: string;
  icon?: ReactNode;
  action: string;
  onAction: () => void;
  /** True if there are rows, but none that matches the filters. */
  isFiltered?: boolean;
}

/** Advice in place of an empty list. */
export function EmptyList({ title, text, icon, action, onAction, isFiltered }: EmptyListProps) {
  return (
    <Paper withBorder radius="md" px="lg" py={48} ta="center">
      <Stack align="center" gap="sm">
        {icon}
        <Text fw={600} role={isFiltered ? "status" : undefined}>
          {title}
        </Text>
        {text && (
          <Text c="dimmed" size="sm">
            {text}
          </Text>
        )}
        <Button variant={isFiltered ? "default" : "filled"} onClick={onAction}>
          {action}
        </Button>
      </Stack>
    </Paper>
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
    <Paper
      className="toast"
      data-empty={toast ? undefined : ""}
      {...{ pos: "fixed", bottom: 16, left: 16, right: 16, mx: "auto", w: "fit-content", maw: "32rem", mah: "7rem" }}
      {...(toast && { withBorder: true, shadow: "lg", px: "md", py: 10 })}
      bg="var(--mantine-color-teal-light)"
      c="var(--mantine-color-teal-light-color)"
      style={{ zIndex: 300, overflow: "auto" }}
      onMouseEnter={() => setHovered(true)}
      onMouseLeave={() => setHovered(false)}
      onFocus={() => setFocused(true)}
      onBlur={() => setFocused(false)}
    >
      <Group wrap="nowrap" justify="space-between">
        {/* Always rendered, because screen readers announce only changes. */}
        <span role="status" className="breakable">
          {toast?.text}
        </span>
        {toast && <CloseButton aria-label="Dismiss" size="sm" onClick={dismiss} />}
      </Group>
    </Paper>
  );
}
