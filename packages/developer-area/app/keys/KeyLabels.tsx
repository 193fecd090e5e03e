import { Anchor, Badge } from "@mantine/core";
import type { ApiKey } from "../api/types.ts";
import { keyHref } from "../parts/address.ts";
import { RelativeTime } from "../parts/Labels.tsx";
import { scopesOf } from "./keyRules.ts";

/** The key's name, as a link to its page. Screen readers read `called`. */
export function KeyLink({ apiKey, called, inText }: { apiKey: ApiKey; called?: string; inText?: boolean }) {
  const { id, name } = apiKey;
  const look = { inherit: true, underline: inText ? "always" : "hover", className: "key-name" } as const;
  return (
    <Anchor href={keyHref(id)} {...look} title={name} aria-label={called ?? name}>
      {name}
    </Anchor>
  );
}

export function KeyStatus({ apiKey: { status, suspended } }: { apiKey: ApiKey }) {
  const [color, text] =
    status === "revoked" ? ["gray", "Revoked"] : suspended ? ["yellow", "Suspended"] : ["teal", "Active"];
  return (
    <Badge className="status" color={color}>
      {text}
    </Badge>
  );
}

export function Scopes({ names }: { names: string[] }) {
  return scopesOf(names).map(({ scope, title }) => (
    <div key={scope}>
      {title} <code>{scope}</code>
    </div>
  ));
}

export function LastUse({ apiKey }: { apiKey: ApiKey }) {
  return apiKey.last_used === null ? "never" : <RelativeTime instant={apiKey.last_used} />;
}
