import type * as z from "zod";
import type { Scope } from "../../resources/scope.ts";

/** Who may call an endpoint. */
export interface Caller<Principal> {
  /** The authorizer that says who calls. */
  scheme: "apiKey" | "superAdmin";
  /** The scope that the caller's key must have, where it takes a key. */
  scope?: Scope;
  /** What the authorizer passes on. */
  principal: z.ZodType<Principal>;
  /** What of the principal may be logged, and is in every line of a request. */
  logged: (principal: Principal) => Record<string, unknown>;
  /**
   * The organisation whose data the caller gets.
   * @throws Problem `forbidden` where the caller may not. Before anything is looked up: the answer must not depend on what there is.
   */
  organisationOf: (principal: Principal) => number;
}
