/** By path, for GET and HEAD: addresses that people type instead of a page's. The request's query is appended. */
export const redirects: ReadonlyMap<string, { status: number; location: string }> = new Map([
  ["/", { status: 302, location: "/docs" }],
  ["/docs/", { status: 308, location: "/docs" }],
  ["/developer/", { status: 308, location: "/developer" }],
]);
