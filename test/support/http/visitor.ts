import { createHash, randomBytes } from "node:crypto";

interface SignInAddress {
  issuer: string;
  clientId: string;
  returnTo: string;
}

/** Texts that a person enters. */
interface Credentials {
  email: string;
  password: string;
}

interface Tokens {
  id_token: string;
  refresh_token: string;
}

/** A browser that keeps cookies and follows redirects, except the one back to the page. */
export class Visitor {
  readonly verifier = randomBytes(32).toString("base64url");
  readonly signIn: SignInAddress;
  readonly cookies = new Map<string, { value: string; path: string }>();

  constructor(signIn: SignInAddress) {
    this.signIn = signIn;
  }

  /** The address to which the page sends a person who is not signed in. */
  authorizationUrl(changes: Record<string, string | undefined> = {}): string {
    const url = new URL(`${this.signIn.issuer}/auth`);
    const parameters = {
      client_id: this.signIn.clientId,
      response_type: "code",
      redirect_uri: this.signIn.returnTo,
      scope: "openid email profile",
      state: "the-state",
      code_challenge: createHash("sha256").update(this.verifier).digest("base64url"),
      code_challenge_method: "S256",
      ...changes,
    };
    for (const [name, value] of Object.entries(parameters)) if (value !== undefined) url.searchParams.set(name, value);
    return url.href;
  }

  async open(url: string, init: RequestInit = {}): Promise<Response> {
    const { pathname } = new URL(url);
    const sent = [...this.cookies].filter(([, { path }]) => pathname.startsWith(path));
    const Cookie = sent.map(([name, { value }]) => `${name}=${value}`).join("; ");
    const response = await fetch(url, {
      ...init,
      redirect: "manual",
      headers: { Cookie, Accept: "text/html", ...init.headers },
    });
    for (const line of response.headers.getSetCookie()) {
      const [, name = "", value = "", path = ""] = /^([^=]+)=([^;]*);.*?path=([^;]*)/.exec(line) ?? [];
      if (value === "") this.cookies.delete(name);
      else this.cookies.set(name, { value, path });
    }
    const location = response.headers.get("Location");
    if (location === null) return response;
    const next = new URL(location, url).href;
    return next.startsWith(this.signIn.returnTo) ? response : this.open(next);
  }

  /** Sends the sign-in form. */
  submit(form: Response, email: string, password: string): Promise<Response> {
    return this.open(form.url, { method: "POST", body: new URLSearchParams({ email, password }) });
  }

  /** Sends the form of a provider's page that submits itself, if the page's policy allows it. */
  async submitItself(page: Response): Promise<Response> {
    if (!/script-src 'sha256-/.test(page.headers.get("Content-Security-Policy") ?? "")) return page;
    const body = await page.text();
    const inputs = body.matchAll(/name="(\w+)" value="([^"]*)"/g);
    const form = new URLSearchParams();
    for (const [, name = "", value = ""] of inputs) form.set(name, value);
    return this.open(/action="([^"]*)"/.exec(body)?.[1] ?? "", { method: "POST", body: form });
  }

  /** The code that the page receives. */
  async codeFor({ email, password }: Credentials): Promise<string> {
    return codeOf(await this.submit(await this.open(this.authorizationUrl()), email, password));
  }

  token(parameters: Record<string, string>): Promise<Response> {
    const body = new URLSearchParams({ client_id: this.signIn.clientId, ...parameters });
    return fetch(`${this.signIn.issuer}/token`, { method: "POST", body });
  }

  exchange(code: string, changes: Record<string, string> = {}): Promise<Response> {
    return this.token({
      grant_type: "authorization_code",
      code,
      redirect_uri: this.signIn.returnTo,
      code_verifier: this.verifier,
      ...changes,
    });
  }

  refresh(refreshToken: string): Promise<Response> {
    return this.token({ grant_type: "refresh_token", refresh_token: refreshToken });
  }

  async tokensFor(person: Credentials): Promise<Tokens> {
    return tokensOf(await this.exchange(await this.codeFor(person)));
  }
}

export async function tokensOf(response: Response): Promise<Tokens> {
  if (response.status !== 200) throw new Error(`No tokens: ${response.status}`);
  return (await response.json()) as Tokens;
}

/** The parameters in the address that the page is called with. */
export function returned(response: Response): Record<string, string> {
  return Object.fromEntries(new URL(response.headers.get("Location") ?? "about:blank").searchParams);
}

export function codeOf(response: Response): string {
  const { code, state } = returned(response);
  if (code === undefined || state !== "the-state") throw new Error(`No code: ${response.status}`);
  return code;
}
