import { Anchor, Badge } from "@mantine/core";
import type { ApiKey } from "../api/types.ts";
import { keyHref } from "../parts/address.ts";
import { RelativeTime } from "../parts/Labels.tsx";

/** The key's name, as a link to its page. */
export function KeyLink({ apiKey: { id, name }, inText }: { apiKey: ApiKey; inText?: boolean }) {
  return (
    <Anchor href={keyHref(id)} inherit underline={inText ? "always" : "hover"} className="key-name" title={name}>
      {name}
    </Anchor>
  );
}

export function KeyStatus({ status }: Pick<ApiKey, "status">) {
  return (
    <Badge className="status" color={status === "active" ? "teal" : "gray"}>
      {status === "active" ? "Active" : "Revoked"}
    </Badge>
  );
}

export function LastUse({ apiKey }: { apiKey: ApiKey }) {
  return apiKey.last_used === null ? "never" : <RelativeTime instant={apiKey.last_used} />;
}
