import * as z from "zod";
import { ordinaryHandler } from "./ordinaryHandler.ts";

export const handler = ordinaryHandler(
  z.object({ organisation_id: z.int(), id: z.string(), prefix: z.string(), scopes: z.array(z.string()) }),
);
