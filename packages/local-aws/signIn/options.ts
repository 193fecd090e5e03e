export interface Person {
  /** The subject, stable across starts. */
  sub: string;
  name: string;
  email: string;
  /** Not secret: the people exist only in the local service. */
  password: string;
  organisation_id: number;
  organisation: string;
  role: string;
  groups: readonly string[];
}

export interface SignInOptions {
  people: readonly Person[];
  /** The product's name, and its mark as SVG. */
  product: string;
  mark: string;
  page: { path: string; name: string };
  clientId: string;
}
