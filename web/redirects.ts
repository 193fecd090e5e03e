interface Redirect {
  status: number;
  /** The query of the request follows it. */
  location: string;
}

/** By path, for GET and HEAD: addresses that people type instead of a page's. */
export const redirects: ReadonlyMap<string, Redirect> = new Map([
  ["/", { status: 302, location: "/docs" }],
  ["/docs/", { status: 308, location: "/docs" }],
  ["/developer/", { status: 308, location: "/developer" }],
]);
