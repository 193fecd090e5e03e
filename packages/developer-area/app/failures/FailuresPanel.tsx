import { Button, Group, NativeSelect, Text, Title } from "@mantine/core";
import { Fragment, useState } from "react";
import { useAllFailures, useApiKeys } from "../api/queries.ts";
import type { ApiKey, KeyFailure } from "../api/types.ts";
import { KeyLink } from "../keys/KeyLabels.tsx";
import { scopesOf } from "../keys/keyRules.ts";
import { CardTable } from "../parts/CardTable.tsx";
import { failuresHref } from "../parts/hooks.ts";
import { RelativeTime } from "../parts/Labels.tsx";
import { ErrorNotice, Waiting } from "../parts/Notices.tsx";

const step = 50;

/** Empty texts match everything. */
interface Filter {
  keyId: string;
  status: string;
  operation: string;
}

/** The failed requests of all keys, or of one. Filters need all failures, so all pages are loaded for them. */
export function FailuresPanel({ keyId }: { keyId: string | null }) {
  const { data: keys = [] } = useApiKeys();
  const [others, setOthers] = useState({ status: "", operation: "" });
  const [limit, setLimit] = useState(step);
  const filter: Filter = { ...others, keyId: keyId ?? "" };
  const isFiltered = Object.values(filter).some((text) => text !== "");
  const pages = useAllFailures(isFiltered);
  const { rows: failures, error, hasNextPage, loadsAll } = pages;
  const matching = failures?.filter((failure) => matches(failure, filter)) ?? [];
  const hasMore = !loadsAll && (limit < matching.length || hasNextPage);
  const showMore = () => {
    setLimit(limit + step);
    if (limit + step > matching.length && hasNextPage) void pages.fetchNextPage();
  };
  return (
    <>
      <Title order={2} size="h3" id="all-failures">
        Failed requests
      </Title>
      <Text size="sm" c="dimmed" mb="md">
        Of the last 7 days, up to a minute old. Of many at once, only the last are kept.
      </Text>
      {failures && <Filters keys={keys} failures={failures} filter={filter} onChange={setOthers} />}
      {error && <ErrorNotice title="The failed requests could not be loaded" error={error} onRetry={pages.retry} />}
      {!failures && !error && <Waiting label="Loading the failed requests" paused={pages.isPaused} />}
      {matching.length > 0 && (
        <FailuresTable failures={matching.slice(0, limit)} labelledBy="all-failures" keys={keys} />
      )}
      <Text size="sm" c="dimmed" mt="md" role="status">
        {failures && summary(matching.length, failures.length)}
      </Text>
      {hasMore && (
        <Button variant="default" mt="md" loading={pages.isFetchingNextPage} onClick={showMore}>
          Show more
        </Button>
      )}
    </>
  );

  function summary(count: number, loaded: number): string {
    if (loadsAll) return `Loading all failed requests: ${loaded} so far…`;
    if (count === 0) return isFiltered ? "No failed request matches." : "No failed requests in the last 7 days.";
    if (hasMore) return `The latest ${Math.min(limit, count)} failed requests.`;
    return count === 1 ? "1 failed request." : `${count} failed requests.`;
  }
}

function matches(failure: KeyFailure, { keyId, status, operation }: Filter): boolean {
  return (
    (keyId === "" || failure.key_id === keyId) &&
    (status === "" || String(failure.status) === status) &&
    (operation === "" || operationOf(failure) === operation)
  );
}

interface FiltersProps {
  keys: ApiKey[];
  failures: KeyFailure[];
  filter: Filter;
  onChange: (filter: Omit<Filter, "keyId">) => void;
}

/** The key is in the URL, so that a key's page links to its failures. */
function Filters({ keys, failures, filter, onChange }: FiltersProps) {
  return (
    <Group gap="sm" mb="md">
      <NativeSelect
        aria-label="Key"
        data={[{ value: "", label: "All keys" }, ...keys.map(({ id, name }) => ({ value: id, label: name }))]}
        value={filter.keyId}
        onChange={(event) => {
          location.hash = failuresHref(event.currentTarget.value);
        }}
      />
      <Choice
        label="Status"
        all="All statuses"
        of={failures.map((one) => String(one.status))}
        value={filter.status}
        onChange={(status) => onChange({ ...filter, status })}
      />
      <Choice
        label="Operation"
        all="All operations"
        of={failures.map(operationOf)}
        value={filter.operation}
        onChange={(operation) => onChange({ ...filter, operation })}
      />
    </Group>
  );
}

interface ChoiceProps {
  label: string;
  /** The choice of everything. */
  all: string;
  of: string[];
  value: string;
  onChange: (value: string) => void;
}

/** A choice among the values that occur. The chosen one stays, also after it no longer occurs. */
function Choice({ label, all, of, value, onChange }: ChoiceProps) {
  const values = [...new Set(value === "" ? of : [...of, value])].sort();
  return (
    <NativeSelect
      aria-label={label}
      data={[{ value: "", label: all }, ...values]}
      value={value}
      onChange={(event) => onChange(event.currentTarget.value)}
    />
  );
}

function operationOf({ operation_id }: KeyFailure): string {
  return operation_id ?? "refused key";
}

interface FailuresTableProps {
  failures: KeyFailure[];
  /** The id of the table's heading. */
  labelledBy: string;
  /** All keys, for a column with the key of each failure. */
  keys?: ApiKey[];
}

/** Why requests failed. */
export function FailuresTable({ failures, labelledBy, keys }: FailuresTableProps) {
  const rows = failures.map((failure) => ({
    key: `${failure.request_id} ${failure.time}`,
    cells: [
      <RelativeTime key="time" instant={failure.time} />,
      ...(keys ? [<FailedKey key="key" failure={failure} keys={keys} />] : []),
      <Request key="request" {...failure} />,
      <Why key="why" {...failure} />,
      <Fragment key="status">
        {failure.status} <span className="key-detail error-code">{failure.code}</span>
      </Fragment>,
      <code key="id" className="request-id">
        {failure.request_id}
      </code>,
    ],
  }));
  const columns = ["Time", ...(keys ? ["Key"] : []), "Request", "Why", "Status", "Request id"];
  return <CardTable labelledBy={labelledBy} columns={columns} rows={rows} />;
}

function FailedKey({ failure: { key_id }, keys }: { failure: KeyFailure; keys: ApiKey[] }) {
  const apiKey = keys.find(({ id }) => id === key_id);
  return apiKey ? <KeyLink apiKey={apiKey} inText /> : "unknown";
}

function Request({ method, path, operation_id }: KeyFailure) {
  return (
    <>
      <code>
        {method} {path}
      </code>
      {operation_id !== null && <div className="key-detail">{operation_id}</div>}
    </>
  );
}

/** The reason, and what to do about it if the Developer area can help. */
function Why({ detail, required_scope, parameters, operation_id }: KeyFailure) {
  const [scope] = required_scope === null ? [] : scopesOf([required_scope]);
  return (
    <>
      {detail}
      {parameters.length > 0 && <div className="key-detail">In: {parameters.join(", ")}</div>}
      {scope && (
        <div className="key-detail">It needs “{scope.title}”. Scopes cannot be changed: create a key that has it.</div>
      )}
      {operation_id === null && (
        <div className="key-detail">Something still uses this key. Give it a new one, or switch it off.</div>
      )}
    </>
  );
}
