import * as z from "zod";
import type { Endpoint } from "../../../functions/api/endpoint.ts";

/** The example body in an endpoint's documentation, if it takes one. */
export function exampleBody({ body }: Pick<Endpoint, "body">): object | undefined {
  const [example] = z.array(z.record(z.string(), z.unknown())).parse(body?.meta()?.examples ?? []);
  return example;
}
