import * as z from "zod";
import { preconditionFailed } from "../problem.ts";
import { EntityTags, entityTag, exampleTag, isMatch, matchesEntityTag } from "./entityTag.ts";

/** The conditions of a change (RFC 9110, section 13.1). */
export const Preconditions = z.object({
  "if-match": EntityTags.meta({
    description:
      "The `ETag` of the resource as you read it. If the resource has changed since, the response is 412 and nothing changes.",
    // Any fixed tag would be refused.
    examples: [],
  }),
  "if-none-match": EntityTags.meta({
    description:
      "An `ETag` that the resource must not have; otherwise the response is 412 and nothing changes. `*` means any `ETag`.",
    examples: [exampleTag],
  }),
});

const weakTag =
  "If-Match has a weak tag (W/), which never matches. Send the ETag as the API sent it; a proxy may have weakened it.";
const forbiddenTag = "If-None-Match matches the current resource.";

/** @returns a check of the current resource, which throws Problem `precondition_failed`; undefined without conditions. */
export function preconditionCheck(headers: z.output<typeof Preconditions>): ((current: object) => void) | undefined {
  const { "if-match": ifMatch, "if-none-match": ifNoneMatch } = headers;
  if (ifMatch === undefined && ifNoneMatch === undefined) return undefined;
  return (current) => {
    const tag = entityTag(JSON.stringify(current));
    if (ifMatch !== undefined && !isMatch(ifMatch, tag))
      throw preconditionFailed(ifMatch.includes('W/"') ? weakTag : undefined);
    if (ifNoneMatch !== undefined && matchesEntityTag(ifNoneMatch, tag)) throw preconditionFailed(forbiddenTag);
  };
}
