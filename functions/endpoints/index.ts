import type { Endpoint } from "../api/endpoint.ts";
import { inReferenceOrder } from "../api/tags.ts";
import * as others from "./otherEndpoints.ts";
import * as reads from "./readEndpoints.ts";

/** Every endpoint, in the order of the reference page. Gateway, functions, OpenAPI document and common tests follow this list. */
export const endpoints: readonly Endpoint[] = inReferenceOrder([...Object.values(reads), ...Object.values(others)]);
