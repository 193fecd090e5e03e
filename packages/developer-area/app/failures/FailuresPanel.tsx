import { NativeSelect, Text } from "@mantine/core";
import { useAllFailures, useApiKeys } from "../api/queries.ts";
import type { ApiKey, KeyFailure } from "../api/types.ts";
import { KeyLink } from "../keys/KeyLabels.tsx";
import { calledIn, scopesOf } from "../keys/keyRules.ts";
import { useFilters } from "../parts/address.ts";
import { CardRow, CardTable } from "../parts/CardTable.tsx";
import { RelativeTime } from "../parts/Labels.tsx";
import { Latest, ListPanel } from "../parts/ListPanel.tsx";

/** Empty texts match everything. */
const everything = { key: "", status: "", operation: "" };

/** The failed requests of all keys, or of one. Filters need all failures, so all pages are loaded for them. */
export function FailuresPanel() {
  const { data: keys = [] } = useApiKeys();
  const { filters, field } = useFilters("failures", everything);
  const called = calledIn(keys);
  const isFiltered = Object.values(filters).some((text) => text !== "");
  const list = useAllFailures(isFiltered);
  const matching = list.rows?.filter((failure) => matches(failure, filters)) ?? [];
  const summary = () => {
    const count = matching.reduce((sum, failure) => sum + failure.count, 0);
    if (count === 0) return "No failed request matches.";
    return count === 1 ? "1 failed request." : `${count} failed requests.`;
  };
  const choice = (all: string, of: (failure: KeyFailure) => string, chosen: string) => ({
    // The chosen value stays even when no row has it any more.
    data: [{ value: "", label: all }, ...[...new Set([chosen, ...(list.rows ?? []).map(of)])].filter(Boolean).sort()],
  });
  return (
    <ListPanel
      title="Failed requests"
      titleId="all-failures"
      intro="These are the failed requests of the last 7 days. New ones appear within a minute. Equal requests of a day are one row. A 4xx status means a mistake in the request, and 5xx a fault in the service. Requests to an unknown path (404), without a valid key (401) or above the rate limit (429) are not listed."
      list={list}
      what="the failed requests"
      failure="The failed requests could not be loaded"
      filters={
        <>
          <NativeSelect
            aria-label="Key"
            data={[{ value: "", label: "All keys" }, ...keys.map((key) => ({ value: key.id, label: called(key) }))]}
            {...field("key")}
          />
          <NativeSelect
            aria-label="Status"
            {...choice("All statuses", statusOf, filters.status)}
            {...field("status")}
          />
          <NativeSelect
            aria-label="Operation"
            {...choice("All operations", operationOf, filters.operation)}
            {...field("operation")}
          />
        </>
      }
      empty={
        <Text size="sm" c="dimmed" role="status">
          No failed requests in the last 7 days.
        </Text>
      }
    >
      {() => (
        <Latest list={list} matching={matching} what="failed requests" summary={summary}>
          {(shown) => <FailuresTable failures={shown} labelledBy="all-failures" keys={keys} />}
        </Latest>
      )}
    </ListPanel>
  );
}

function matches(failure: KeyFailure, { key, status, operation }: typeof everything): boolean {
  return (
    (key === "" || failure.key_id === key) &&
    (status === "" || statusOf(failure) === status) &&
    (operation === "" || operationOf(failure) === operation)
  );
}

function statusOf({ status }: KeyFailure): string {
  return String(status);
}

function operationOf({ operation_id }: KeyFailure): string {
  return operation_id ?? keyRejected;
}

const keyRejected = "(none: key rejected)";

interface FailuresTableProps {
  failures: KeyFailure[];
  labelledBy: string;
  /** All keys, for a column with the key of each failure. */
  keys?: ApiKey[];
}

export function FailuresTable({ failures, labelledBy, keys }: FailuresTableProps) {
  const columns = ["Time", ...(keys ? ["Key"] : []), "Request", "Why", "Status", "Request id"];
  return (
    <CardTable className="failures" aria-labelledby={labelledBy} columns={columns}>
      {failures.map((failure) => (
        <CardRow
          key={`${failure.request_id} ${failure.time}`}
          cells={{
            Time: <Times {...failure} />,
            ...(keys && { Key: <FailedKey failure={failure} keys={keys} /> }),
            Request: <Request {...failure} />,
            Why: <Why {...failure} />,
            Status: (
              <>
                {failure.status} <span className="detail error-code">{failure.code}</span>
              </>
            ),
            "Request id": <code className="request-id">{failure.request_id}</code>,
          }}
        />
      ))}
    </CardTable>
  );
}

/** The latest of equal requests, and since when there have been how many. */
function Times({ time, first_time, count }: KeyFailure) {
  return (
    <>
      <RelativeTime instant={time} />
      {count > 1 && (
        <div className="detail">
          {count} times, first <RelativeTime instant={first_time} />
        </div>
      )}
    </>
  );
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
      {operation_id !== null && <div className="detail">{operation_id}</div>}
    </>
  );
}

/** The reason, what is allowed, and what to do about it if the Developer area can help. */
function Why({ key_id, detail, required_scope, parameters, reasons, operation_id }: KeyFailure) {
  const { data: keys = [] } = useApiKeys();
  const isRevoked = operation_id === null && keys.find(({ id }) => id === key_id)?.status === "revoked";
  const [scope] = required_scope === null ? [] : scopesOf([required_scope]);
  const invalid = parameters.flatMap((name, index) => {
    const reason = reasons?.[index] ?? "not valid";
    return reason === detail ? [] : `${name || "body"}: ${reason}`;
  });
  return (
    <>
      {detail}
      {[...new Set(invalid)].map((text) => (
        <div className="detail" key={text}>
          {text}
        </div>
      ))}
      {scope && (
        <div className="detail">
          It needs the scope “{scope.title}”. A key's scopes cannot be changed. Create a key with this scope.
        </div>
      )}
      {isRevoked && <div className="detail">A program is still using this key. Give it a new key, or stop it.</div>}
    </>
  );
}
