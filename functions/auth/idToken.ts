import { JwtVerifier } from "aws-jwt-verify";
import { JwksValidationError, JwkValidationError } from "aws-jwt-verify/error";
import { SimpleJwksCache } from "aws-jwt-verify/jwk";
import * as z from "zod";
import { Id, idText } from "../resources/resourceId.ts";
import { fetchDocument, IdentityProviderUnavailable } from "./fetchDocument.ts";
import type { PersonPrincipal } from "./personPrincipal.ts";
import type { SignInSettings } from "./signInSettings.ts";

/** Seconds by which the clocks of an identity provider and of this service may differ. */
const clockSkewSeconds = 60;

/** An organisation's id: a number, or the text of one, as Cognito writes every attribute. */
const OrganisationId = z.union([Id, idText()]);

/** Verifies ID tokens. */
export type IdTokenVerifier = (token: string) => Promise<PersonPrincipal | undefined>;

/**
 * A verifier of the ID tokens that one identity provider issues for one client (OpenID Connect Core 1.0, 3.1.3.7). It finds the
 * provider's keys by its discovery document, and keeps them.
 *
 * @returns a function from a token to the person it stands for, or undefined for a token that is not good, whatever is wrong with it.
 * It throws only where the provider cannot be asked for its keys.
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
    throw new IdentityProviderUnavailable("The identity provider's discovery document is not one of this issuer.");
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
 * What the verifier does not ask for: that the token ends at all, is for nobody else, was not made later than now, and is no access
 * token, which the client hands to others (RFC 9068 names its type; Cognito its use).
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

/** Whoever is signed in; a super-admin only with the role, and only of an organisation. */
function personOf(payload: object, { organisationClaim, rolesClaim, superAdminRole }: SignInSettings): PersonPrincipal {
  const { sub, email, ...claims } = Claims.parse(payload);
  const organisationId = OrganisationId.safeParse(claims[organisationClaim]).data;
  const roles = z.array(z.string()).safeParse(claims[rolesClaim]).data ?? [];
  const isSuperAdmin = organisationId !== undefined && roles.includes(superAdminRole);
  return { subject: sub, name: email ?? sub, ...(isSuperAdmin ? { superAdminOf: organisationId } : {}) };
}
