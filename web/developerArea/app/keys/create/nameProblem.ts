import { hasInvisible, longestName, normalisedName } from "../../../../../functions/resources/keyName.ts";

/** Why the API would refuse the name. `atOnce` if the person cannot correct it by typing on. */
export function nameProblem(typed: string): { text: string; atOnce: boolean } | null {
  const name = normalisedName(typed);
  if (hasInvisible(name)) return { text: "Must not contain invisible characters.", atOnce: true };
  if (name === "") return { text: "Give the key a name.", atOnce: false };
  if ([...name].length > longestName) return { text: `At most ${longestName} characters.`, atOnce: false };
  return null;
}
