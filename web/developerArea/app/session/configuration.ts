import * as z from "../zod.ts";

const Configuration = z.object({
  issuer: z.url(),
  client_id: z.string().check(z.minLength(1)),
  scope: z.string().check(z.minLength(1)),
  organisation_claim: z.string().check(z.minLength(1)),
  organisation_name_claim: z.string().check(z.minLength(1)),
});
/** The sign-in settings of this deployment. */
export type Configuration = z.infer<typeof Configuration>;

/** Fetches the configuration from the page's own origin. */
export async function loadConfiguration(): Promise<Configuration> {
  const response = await fetch("/developer/config.json");
  if (!response.ok) throw new Error(`/developer/config.json: status ${response.status}`);
  return Configuration.parse(await response.json());
}
