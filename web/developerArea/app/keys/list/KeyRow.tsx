import { Badge, Button, Group, Table, Text } from "@mantine/core";
import type { ReactNode } from "react";
import type { ApiKey } from "../../api/apiKey.ts";
import { RelativeTime } from "../../parts/RelativeTime.tsx";
import type { OpenDialog } from "../KeyDialog.tsx";
import { LastUse } from "../LastUse.tsx";

interface KeyRowProps {
  apiKey: ApiKey;
  rotating: boolean;
  onOpen: (dialog: OpenDialog) => void;
}

export function KeyRow({ apiKey, rotating, onOpen }: KeyRowProps) {
  const { id, name, prefix, created, created_by, status } = apiKey;
  return (
    <Table.Tr role="row" data-status={status}>
      <Table.Th role="rowheader" scope="row" className="key-name">
        {name}
      </Table.Th>
      <Cell label="Prefix">
        <code>{prefix}</code>
      </Cell>
      <Cell label="Scopes">
        <span className="scopes">
          {apiKey.scopes.map((scope) => (
            <code key={scope}>{scope}</code>
          ))}
        </span>
      </Cell>
      <Cell label="Created">
        <RelativeTime instant={created} />
        <By person={created_by} />
      </Cell>
      <Cell label="Last used">
        <LastUse apiKey={apiKey} />
      </Cell>
      <Cell label="Status">
        <Badge className="status" tt="none" variant="light" color={status === "active" ? "teal" : "gray"}>
          {status === "active" ? "Active" : "Revoked"}
        </Badge>
        {apiKey.revoked !== null && (
          <Text size="xs" c="dimmed">
            <RelativeTime instant={apiKey.revoked} />
          </Text>
        )}
        {apiKey.revoked_by !== null && <By person={apiKey.revoked_by} />}
      </Cell>
      <Cell label="Actions">
        {status === "active" && (
          <Group gap="xs" wrap="nowrap">
            <Button
              variant="default"
              size="xs"
              aria-label={rotating ? `Resume rotation of ${name}` : `Rotate ${name}`}
              onClick={() => onOpen({ kind: "rotate", keyId: id })}
            >
              {rotating ? "Resume" : "Rotate"}
            </Button>
            <Button
              variant="subtle"
              color="red"
              size="xs"
              aria-label={`Revoke ${name}`}
              onClick={() => onOpen({ kind: "revoke", keyId: id })}
            >
              Revoke
            </Button>
          </Group>
        )}
      </Cell>
    </Table.Tr>
  );
}

function Cell({ label, children }: { label: string; children: ReactNode }) {
  return (
    <Table.Td role="cell" data-label={label}>
      {children}
    </Table.Td>
  );
}

function By({ person }: { person: string }) {
  return (
    <Text size="xs" c="dimmed" className="breakable">
      by {person}
    </Text>
  );
}
