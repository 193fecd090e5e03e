import type * as z from "zod";
import type { Scope } from "../../resources/scope.ts";

/** Who may call an endpoint. */
export interface Caller<Principal> {
  /** The authorizer that identifies the caller. */
  scheme: "apiKey" | "superAdmin";
  /** The scope that an API key must have. */
  scope?: Scope;
  /** Parses the context that the authorizer returned. */
  principal: z.ZodType<Principal>;
  /** The part of the principal that may be logged; it is in the log line of every request. */
  logged: (principal: Principal) => Record<string, unknown>;
  /**
   * The organisation whose data the caller gets.
   * @throws Problem `forbidden` if the caller lacks permission. Check this before any read: the response must not reveal what exists.
   */
  organisationOf: (principal: Principal) => number;
}
