import { Alert, Button, Stack, Text } from "@mantine/core";
import { ApiError } from "../api/apiError.ts";

interface ErrorNoticeProps {
  title: string;
  error: Error;
  advice?: string;
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
