import { Box, Group, Text } from "@mantine/core";
import type { ReactNode } from "react";
import type { ApiKey } from "../api/types.ts";
import { ExactTime, PersonName, RelativeTime, TimeUntil } from "../parts/Labels.tsx";
import { KeyLink, LastUse } from "./KeyLabels.tsx";
import { scopesOf } from "./keyRules.ts";

interface KeyFactsProps {
  apiKey: ApiKey;
  /** All keys, for the names of the predecessor and the successor. */
  keys: ApiKey[];
}

export function KeyFacts({ apiKey, keys }: KeyFactsProps) {
  const predecessor = keys.find(({ id }) => id === apiKey.replaces);
  const successor = keys.find(({ id }) => id === apiKey.replaced_by);
  return (
    <Facts>
      <Fact name="Last used">
        <LastUse apiKey={apiKey} />
        {apiKey.last_used !== null && (
          <div className="detail">
            <ExactTime instant={apiKey.last_used} />
          </div>
        )}
      </Fact>
      <Fact name="Prefix">
        <code>{apiKey.prefix}</code>
      </Fact>
      <Fact name="Scopes">
        {scopesOf(apiKey.scopes).map(({ scope, title }) => (
          <div key={scope}>
            {title} <code>{scope}</code>
          </div>
        ))}
      </Fact>
      <Fact name="Created">
        <Done time={apiKey.created} person={apiKey.created_by} />
      </Fact>
      {apiKey.revokes_at !== null && (
        <Fact name="Ends">
          <TimeUntil instant={apiKey.revokes_at} />
          <div className="detail">
            <ExactTime instant={apiKey.revokes_at} />
          </div>
        </Fact>
      )}
      {apiKey.revoked !== null && (
        <Fact name="Revoked">
          <Done time={apiKey.revoked} person={apiKey.revoked_by ?? "unknown"} />
        </Fact>
      )}
      {predecessor && (
        <Fact name="Replaces">
          <KeyLink apiKey={predecessor} />
        </Fact>
      )}
      {successor && (
        <Fact name="Replaced by">
          <KeyLink apiKey={successor} />
        </Fact>
      )}
    </Facts>
  );
}

/** Names and values, as many in a line as fit. */
export function Facts({ children }: { children: ReactNode }) {
  return (
    <Group component="dl" className="facts" align="flex-start" gap="md" p="md" m={0} style={{ columnGap: "2.5rem" }}>
      {children}
    </Group>
  );
}

/** @param size of the value. */
export function Fact({ name, size = "sm", children }: { name: string; size?: string; children: ReactNode }) {
  return (
    <Box miw={0}>
      <Text component="dt" size="xs" c="dimmed">
        {name}
      </Text>
      <Text component="dd" m={0} size={size} fw={size === "sm" ? undefined : 600}>
        {children}
      </Text>
    </Box>
  );
}

function Done({ time, person }: { time: string; person: string }) {
  return (
    <>
      <RelativeTime instant={time} /> by <PersonName name={person} />
      <div className="detail">
        <ExactTime instant={time} />
      </div>
    </>
  );
}
