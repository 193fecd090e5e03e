import { memo, type ReactNode } from "react";
import type { ApiKey } from "../../api/apiKey.ts";
import { useStoppedCalling } from "../../api/useStoppedCalling.ts";
import { PersonName } from "../../parts/PersonName.tsx";
import { RelativeTime } from "../../parts/RelativeTime.tsx";
import { KeyActions } from "../KeyActions.tsx";
import type { OpenDialog } from "../KeyDialog.tsx";
import { KeyLink } from "../KeyLink.tsx";
import { KeyStatus } from "../KeyStatus.tsx";
import { LastUse } from "../LastUse.tsx";
import { StoppedCalling } from "./StoppedCalling.tsx";

interface KeyRowProps {
  apiKey: ApiKey;
  predecessor: ApiKey | undefined;
  successor: ApiKey | undefined;
  rotating: boolean;
  onOpen: (dialog: OpenDialog) => void;
}

/** Plain elements, because a page of Mantine's cells takes twice as long to sort. */
export const KeyRow = memo(({ apiKey, predecessor, successor, rotating, onOpen }: KeyRowProps) => {
  const { prefix, scopes, created, created_by, status, revoked } = apiKey;
  const stopped = useStoppedCalling(apiKey);
  return (
    // biome-ignore lint/a11y/noRedundantRoles: the styles of narrow screens would remove it.
    <tr role="row" data-status={status}>
      {/* biome-ignore lint/a11y/noRedundantRoles: as above. */}
      <th role="rowheader" scope="row">
        <div className="one-line">
          <KeyLink apiKey={apiKey} />
        </div>
        <div className="one-line key-detail">
          <code>{prefix}</code>
          {successor && <Relation label="Replaced by" other={successor} />}
          {predecessor && <Relation label="Replaces" other={predecessor} />}
        </div>
      </th>
      <Cell label="Scopes">
        <span className="scopes">
          {/* Short ones first, so that they share a line. */}
          {scopes
            .toSorted((one, other) => one.length - other.length)
            .map((scope) => (
              <code key={scope}>{scope}</code>
            ))}
        </span>
      </Cell>
      <Cell label="Created">
        <RelativeTime instant={created} />
        <div className="one-line key-detail" title={created_by}>
          by <PersonName name={created_by} />
        </div>
      </Cell>
      <Cell label="Last used">
        <LastUse apiKey={apiKey} />
        {stopped && <StoppedCalling reason={stopped} />}
      </Cell>
      <Cell label="Status">
        <div className="key-state">
          <KeyStatus status={status} />
          {status === "active" && <KeyActions apiKey={apiKey} rotating={rotating} onOpen={onOpen} />}
          {revoked !== null && (
            <span className="key-detail">
              <RelativeTime instant={revoked} />
            </span>
          )}
        </div>
      </Cell>
    </tr>
  );
});

function Relation({ label, other }: { label: string; other: ApiKey }) {
  return (
    <>
      {" "}
      {label} <KeyLink apiKey={other} inText />
    </>
  );
}

function Cell({ label, children }: { label: string; children: ReactNode }) {
  return (
    // biome-ignore lint/a11y/noRedundantRoles: as above.
    <td role="cell" data-label={label}>
      {children}
    </td>
  );
}
