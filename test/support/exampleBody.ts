import * as z from "zod";
import type { Endpoint } from "../../functions/http/endpoint.ts";

/** The body that an endpoint's document shows, if it takes one. */
export function exampleBody({ body }: Pick<Endpoint, "body">): object | undefined {
  const [example] = z.array(z.record(z.string(), z.unknown())).parse(body?.meta()?.examples ?? []);
  return example;
}
