import { JwtVerifier } from "aws-jwt-verify";
import { JwksValidationError, JwkValidationError } from "aws-jwt-verify/error";
import { SimpleJwksCache } from "aws-jwt-verify/jwk";
import * as z from "zod";
import { Id, idText } from "../resources/fields.ts";
import type { PersonPrincipal } from "./personPrincipal.ts";
import type { SignInSettings } from "./signInSettings.ts";

/** Allowed difference between the clocks of the identity provider and this service. */
const clockSkewSeconds = 60;

/** A number, or its text: Cognito writes every attribute as text. */
const OrganisationId = z.union([Id, idText()]);

export type IdTokenVerifier = (token: string) => Promise<PersonPrincipal | undefined>;

/**
 * Creates a verifier of the ID tokens that one identity provider issues for one client (OpenID Connect Core 1.0, 3.1.3.7). It finds
 * the provider's keys through its discovery document and caches them.
 * @returns a verifier that throws only if it cannot get the provider's keys.
 */
export function idTokenVerifier(settings: SignInSettings): IdTokenVerifier {
  let discovered: Promise<Verifier> | undefined;
  return async (token) => {
    discovered ??= discover(settings);
    const verifier = await discovered.catch((error) => {
      discovered = undefined;
      throw error;
    });
    try {
      return personOf(await verifier.verify(token), settings);
    } catch (error) {
      const isProviders = [IdentityProviderUnavailable, JwksValidationError, JwkValidationError];
      if (isProviders.some((kind) => error instanceof kind)) throw error;
      return undefined;
    }
  };
}

type Verifier = Awaited<ReturnType<typeof discover>>;

const Discovery = z.object({ issuer: z.string(), jwks_uri: z.url() });

async function discover({ issuer, clientId }: SignInSettings) {
  const document = await fetchDocument(`${issuer.replace(/\/$/, "")}/.well-known/openid-configuration`);
  const { data, success } = Discovery.safeParse(JSON.parse(Buffer.from(document).toString()));
  if (!success || data.issuer !== issuer) {
    throw new IdentityProviderUnavailable(
      "The identity provider's discovery document is invalid or names another issuer.",
    );
  }
  return JwtVerifier.create(
    {
      issuer,
      audience: clientId,
      jwksUri: data.jwks_uri,
      customJwtCheck: ({ header, payload }) => assertIdToken(header, payload, clientId),
    },
    { jwksCache: new SimpleJwksCache({ fetcher: { fetch: fetchDocument } }) },
  );
}

/**
 * Checks what the verifier does not: the token must expire, have no other audience, not be issued in the future, and not be an access
 * token, which clients pass to other services (recognised by `typ` in RFC 9068, by `token_use` at Cognito).
 * @throws ZodError if a check fails.
 */
function assertIdToken(header: object, payload: object, clientId: string): void {
  const nowSeconds = Date.now() / 1000;
  z.object({ typ: z.literal("JWT").optional() }).parse(header);
  z.object({
    exp: z.number(),
    iat: z.number().max(nowSeconds + clockSkewSeconds),
    aud: z.union([z.literal(clientId), z.tuple([z.literal(clientId)])]),
    azp: z.literal(clientId).optional(),
    token_use: z.literal("id").optional(),
  }).parse(payload);
}

const Claims = z.looseObject({ sub: z.string().min(1), email: z.string().min(1).optional() });

/** The signed-in person: a super-admin only if the claims contain both the role and an organisation. */
function personOf(payload: object, { organisationClaim, rolesClaim, superAdminRole }: SignInSettings): PersonPrincipal {
  const { sub, email, ...claims } = Claims.parse(payload);
  const organisationId = OrganisationId.safeParse(claims[organisationClaim]).data;
  const roles = z.array(z.string()).safeParse(claims[rolesClaim]).data ?? [];
  const isSuperAdmin = organisationId !== undefined && roles.includes(superAdminRole);
  return { subject: sub, name: email ?? sub, ...(isSuperAdmin ? { superAdminOf: organisationId } : {}) };
}

/** One token needs at most two fetches, which stay within a request's timeout. */
const timeoutMs = 2_500;

/** The identity provider did not respond, or its response was invalid, so tokens cannot be verified. */
class IdentityProviderUnavailable extends Error {
  override readonly name = "IdentityProviderUnavailable";
}

/** The URL comes from the settings or the provider, never from a token. Redirects are errors. @throws IdentityProviderUnavailable */
async function fetchDocument(url: string): Promise<ArrayBuffer> {
  try {
    const response = await fetch(url, { redirect: "error", signal: AbortSignal.timeout(timeoutMs) });
    if (!response.ok) throw new Error(`Status ${response.status}.`);
    return await response.arrayBuffer();
  } catch (cause) {
    throw new IdentityProviderUnavailable("The identity provider's document could not be fetched.", { cause });
  }
}
