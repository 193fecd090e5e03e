/** The address of `npm start`, which other addresses replace when a stage is deployed. */
export const localUrl = "http://localhost:3000";

/** A document with the address of a deployment. */
export function withAddress(document: unknown, baseUrl: string): unknown {
  return JSON.parse(JSON.stringify(document).replaceAll(localUrl, () => baseUrl));
}
