import * as z from "../zod.ts";

const Configuration = z.object({
  issuer: z.url(),
  client_id: z.string().check(z.minLength(1)),
  scope: z.string().check(z.minLength(1)),
  organisation_claim: z.string().check(z.minLength(1)),
});
/** How people sign in here: each deployment has its own. */
export type Configuration = z.infer<typeof Configuration>;

/** Asks the page's own origin for its configuration. */
export async function loadConfiguration(): Promise<Configuration> {
  const response = await fetch("/developer/config.json");
  if (!response.ok) throw new Error(`/developer/config.json: status ${response.status}`);
  return Configuration.parse(await response.json());
}
