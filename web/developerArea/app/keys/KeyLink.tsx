import { Anchor } from "@mantine/core";
import type { ApiKey } from "../api/apiKey.ts";
import { keyHref } from "../useRoute.ts";

/** The key's name, as a link to its page. */
export function KeyLink({ apiKey: { id, name }, inText }: { apiKey: ApiKey; inText?: boolean }) {
  return (
    <Anchor href={keyHref(id)} inherit underline={inText ? "always" : "hover"} className="key-name" title={name}>
      {name}
    </Anchor>
  );
}
