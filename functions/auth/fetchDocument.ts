/** Asked twice at most for one token, this stays under what a request may take. */
const timeoutMs = 2_500;

/** The identity provider could not be asked, or answered with nonsense: nobody knows whether a token is good. */
export class IdentityProviderUnavailable extends Error {
  override readonly name = "IdentityProviderUnavailable";
}

/**
 * The bytes of a document of the identity provider's. The address comes from the service's settings or from the provider, never
 * from a token, and no redirect is followed.
 *
 * @throws IdentityProviderUnavailable
 */
export async function fetchDocument(url: string): Promise<ArrayBuffer> {
  try {
    const response = await fetch(url, { redirect: "error", signal: AbortSignal.timeout(timeoutMs) });
    if (!response.ok) throw new Error(`It answered ${response.status}.`);
    return await response.arrayBuffer();
  } catch (cause) {
    throw new IdentityProviderUnavailable("The identity provider does not answer.", { cause });
  }
}
