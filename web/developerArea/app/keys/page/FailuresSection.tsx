import { Button, Table, Text, Title } from "@mantine/core";
import type { KeyFailure } from "../../api/keyUsage.ts";
import { refetchInterval } from "../../api/useApiKeys.ts";
import { usePages } from "../../api/usePages.ts";
import { ErrorNotice } from "../../parts/ErrorNotice.tsx";
import { RelativeTime } from "../../parts/RelativeTime.tsx";
import { Waiting } from "../../parts/Waiting.tsx";
import { useAdmin } from "../../session/admin.ts";

/** The latest requests that failed, with what an operator needs to find them. */
export function FailuresSection({ keyId }: { keyId: string }) {
  const { api } = useAdmin();
  const {
    rows: failures,
    error,
    isPaused,
    hasNextPage,
    isFetchingNextPage,
    fetchNextPage,
    retry,
  } = usePages(["api-key-failures", keyId], (cursor) => api.listFailures(keyId, cursor), { refetchInterval });
  return (
    <section aria-labelledby="failures">
      <Title order={3} size="h5" id="failures">
        Latest failed requests
      </Title>
      {error && <ErrorNotice title="The failed requests could not be loaded" error={error} onRetry={retry} />}
      {!failures && !error && <Waiting label="Loading the failed requests" paused={isPaused} />}
      {failures?.length === 0 && <Text size="sm">No failed requests in the last 7 days.</Text>}
      {failures && failures.length > 0 && <FailuresTable failures={failures} />}
      {hasNextPage && (
        <Button variant="default" size="xs" mt="sm" loading={isFetchingNextPage} onClick={() => void fetchNextPage()}>
          Show more
        </Button>
      )}
    </section>
  );
}

const columns = ["Time", "Operation", "Status", "Error", "Request id"];

/** As in the list of keys, the roles restore the table where the styles turn rows into cards. */
function FailuresTable({ failures }: { failures: KeyFailure[] }) {
  return (
    <Table className="failures" role="table" aria-labelledby="failures">
      <Table.Thead role="rowgroup">
        <Table.Tr role="row">
          {columns.map((name) => (
            <Table.Th key={name} role="columnheader" scope="col">
              {name}
            </Table.Th>
          ))}
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody role="rowgroup">
        {failures.map(({ request_id, time, operation_id, status, code }) => (
          <Table.Tr role="row" key={request_id}>
            <Table.Td role="cell">
              <RelativeTime instant={time} />
            </Table.Td>
            <Table.Td role="cell">{operation_id}</Table.Td>
            <Table.Td role="cell">{status}</Table.Td>
            <Table.Td role="cell">{code ?? "none"}</Table.Td>
            <Table.Td role="cell">
              <code className="request-id">{request_id}</code>
            </Table.Td>
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  );
}
