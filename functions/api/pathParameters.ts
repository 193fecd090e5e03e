import * as z from "zod";
import { notFound } from "../problem.ts";
import { idText } from "../resources/fields.ts";
import { timeOrderedIdPattern } from "../values/timeOrderedId.ts";

/** A malformed id cannot match anything, so it gets the error of an unknown id. @param resource the resource's name in the 404: `event`. */
export function resourceId(resource: string) {
  return idText(notFound(resource).message).meta({
    description: `Id of the ${resource}.`,
    minimum: 1,
    maximum: Number.MAX_SAFE_INTEGER,
  });
}

export function idOf(resource: string) {
  return z.object({ id: resourceId(resource) });
}

/** Like {@link resourceId}, for time-ordered ids. @param resource the resource's name in the 404: `API key`. */
export function timeOrderedIdOf(resource: string) {
  const id = z.string().regex(timeOrderedIdPattern, notFound(resource).message);
  return z.object({ id: id.meta({ description: `Id of the ${resource}.` }) });
}
