/** One token needs at most two fetches, which stay within a request's timeout. */
const timeoutMs = 2_500;

/** The identity provider did not respond, or its response was invalid, so tokens cannot be verified. */
export class IdentityProviderUnavailable extends Error {
  override readonly name = "IdentityProviderUnavailable";
}

/**
 * Fetches a document of the identity provider. The URL comes from the service's settings or from the provider, never from a token.
 * Redirects are errors.
 *
 * @throws IdentityProviderUnavailable
 */
export async function fetchDocument(url: string): Promise<ArrayBuffer> {
  try {
    const response = await fetch(url, { redirect: "error", signal: AbortSignal.timeout(timeoutMs) });
    if (!response.ok) throw new Error(`Status ${response.status}.`);
    return await response.arrayBuffer();
  } catch (cause) {
    throw new IdentityProviderUnavailable("The identity provider's document could not be fetched.", { cause });
  }
}
