import * as reads from "../endpoints/readEndpoints.ts";
import { resources } from "../resources/index.ts";

/**
 * True if an argument that a tool does not have looks like a filter, which must not be ignored: the answer would be about other rows. Its name has
 * a word of a field or parameter. Clients' own arguments, such as `reason`, `sessionId` and `_meta`, do not count.
 */
export function isFilter(name: string): boolean {
  const words = wordsIn(name);
  if (name.startsWith("_") || words.some((word) => ofClients.has(word))) return false;
  return words.some((word) => vocabulary().has(word));
}

/** Words of the arguments that frameworks add to calls: https://docs.n8n.io, LangChain and others send `sessionId`, `toolCallId`, `runId`. */
const ofClients = new Set(
  "agent call chat conversation correlation execution message reason request run session span step task thread tool trace turn workflow".split(
    " ",
  ),
);

/** Words of filters that other APIs have. */
const ofOtherFilters =
  "after before between buyer category contain count customer day end filter limit match max min month number offset query q search since skip sort start until user week where year".split(
    " ",
  );

let known: ReadonlySet<string> | undefined;

function vocabulary(): ReadonlySet<string> {
  known ??= new Set([
    ...ofOtherFilters,
    ...Object.values(resources).flatMap(({ schema }) => Object.keys(schema.shape).flatMap(wordsIn)),
    ...Object.values(reads).flatMap(({ query }) => Object.keys(query?.shape ?? {}).flatMap(wordsIn)),
  ]);
  return known;
}

/** The words of a name in snake or camel case, in lower case and the singular. */
function wordsIn(name: string): string[] {
  return name
    .split(/[^\p{L}\p{N}]+|(?<=[\p{Ll}\p{N}])(?=\p{Lu})/u)
    .map((word) => word.toLowerCase().replace(/s$/, ""))
    .filter((word) => word !== "");
}
