import { Badge, VisuallyHidden } from "@mantine/core";
import { memo, useMemo } from "react";
import { useStoppedCalling } from "../api/queries.ts";
import type { ApiKey } from "../api/types.ts";
import { CardRow, CardTable } from "../parts/CardTable.tsx";
import { PersonName, RelativeTime } from "../parts/Labels.tsx";
import { KeyActions } from "./KeyDialog.tsx";
import { KeyLink, KeyStatus, LastUse } from "./KeyLabels.tsx";
import { calledIn, scopesOf } from "./keyRules.ts";

interface KeysTableProps {
  /** All keys, because a shown key may share its name with another. */
  keys: ApiKey[];
  shown: ApiKey[];
  /** A column, after "-" if descending. */
  sort: string;
  onSort: (sort: string) => void;
}

const columns = [
  { label: "Name", column: "name" },
  { label: "Scopes" },
  { label: "Created", column: "created" },
  { label: "Last used", column: "last_used" },
  { label: "Status", column: "status" },
  { label: "Actions" },
];

export function KeysTable({ keys, shown, sort, onSort }: KeysTableProps) {
  const called = useMemo(() => calledIn(keys), [keys]);
  const sorted = columns.map(({ label, column }) => {
    if (column === undefined) return label;
    const order = sort === column ? "ascending" : sort === `-${column}` ? "descending" : "none";
    const isNext = order === "none" ? column === "name" : order === "descending";
    return { label, order, onSort: () => onSort(isNext ? column : `-${column}`) } as const;
  });
  return (
    <CardTable className="keys" aria-label="API keys" columns={sorted}>
      {shown.map((key) => (
        <KeyRow key={key.id} apiKey={key} called={called(key)} />
      ))}
    </CardTable>
  );
}

interface KeyRowProps {
  apiKey: ApiKey;
  /** The name, and what distinguishes the key from others of that name. */
  called: string;
}

const KeyRow = memo(({ apiKey, called }: KeyRowProps) => {
  const { prefix, scopes, created, created_by, status, revoked } = apiKey;
  const stopped = useStoppedCalling(apiKey);
  const header = (
    <>
      <div className="one-line">
        <KeyLink apiKey={apiKey} called={called} />
      </div>
      <div className="one-line detail">
        <code>{prefix}</code>{" "}
        {called !== apiKey.name && (
          <Mark text="Same name" reason="Another active key has this name. Rename one of them." />
        )}
      </div>
    </>
  );
  const shorts = scopesOf(scopes).map(({ short }) => short);
  const cells = {
    Scopes: <span title={scopes.join(", ")}>{shorts.join(" · ")}</span>,
    Created: (
      <>
        <RelativeTime instant={created} />
        <div className="one-line detail" title={created_by}>
          by <PersonName name={created_by} />
        </div>
      </>
    ),
    "Last used": (
      <>
        <LastUse apiKey={apiKey} />
        {stopped && <Mark text="Stopped calling" reason={stopped} />}
      </>
    ),
    Status: (
      <>
        <KeyStatus apiKey={apiKey} />
        {revoked !== null && (
          <div className="detail">
            <RelativeTime instant={revoked} />
          </div>
        )}
      </>
    ),
    Actions: status === "active" && <KeyActions {...{ apiKey, called }} />,
  };
  return <CardRow status={status} header={header} cells={cells} />;
});

function Mark({ text, reason }: { text: string; reason: string }) {
  return (
    <Badge className="status" color="yellow" size="sm" title={reason}>
      {text}
      <VisuallyHidden>: {reason}</VisuallyHidden>
    </Badge>
  );
}
