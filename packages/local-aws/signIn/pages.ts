import { hash } from "node:crypto";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { text } from "node:stream/consumers";
import { errors, type Provider } from "oidc-provider";
import type { Person, SignInOptions } from "./options.ts";

/** The font of the service's pages, within the page, which may load nothing else. */
const font = createRequire(import.meta.url).resolve("@fontsource-variable/inter/files/inter-latin-wght-normal.woff2");
const fontFace = `@font-face { font-family: Inter; font-weight: 100 900; src: url("data:font/woff2;base64,${readFileSync(font).toString("base64")}"); }
`;
const css = fontFace + readFileSync(new URL("signIn.css", import.meta.url), "utf8");

export const headers = {
  // The provider adds the hashes of its own scripts to script-src; no other script may run. Browsers also apply form-action to the
  // redirects after a form, which all stay on this origin.
  "Content-Security-Policy": [
    "default-src 'none'",
    "script-src",
    `style-src 'sha256-${hash("sha256", css, "base64")}'`,
    "form-action 'self'",
    "img-src data:",
    "font-src data:",
    "frame-ancestors 'none'",
    "base-uri 'none'",
  ].join("; "),
  "X-Content-Type-Options": "nosniff",
  "X-Frame-Options": "DENY",
  "Referrer-Policy": "no-referrer",
  "Cache-Control": "no-store",
};

/** The form, with what was entered or the address that the page expects, and the demo people. */
function signInPage(options: SignInOptions, email: string, isRefused: boolean): string {
  // The cursor is where the person has to type.
  const [inEmail, inPassword] = email === "" ? [" autofocus", ""] : ["", " autofocus"];
  return htmlPage(
    options,
    "Sign in",
    `<main>
<h1>Sign in to ${options.page.name}</h1>
${isRefused ? `<p role="alert">The e-mail address or the password is wrong.</p>` : ""}
<form method="post">
<label>E-mail address <input name="email" type="email" autocomplete="username" value="${escapeHtml(email)}" required${inEmail}></label>
<label>Password <input name="password" type="password" autocomplete="current-password" required${inPassword}></label>
<button>Sign in</button>
</form>
</main>
<aside>
<h2>Demo people</h2>
<p>They exist only in this local service. A deployed stage signs people in with its user pool.</p>
<ul>${options.people.map(listed).join("")}</ul>
</aside>`,
  );
}

export function problemPage(options: SignInOptions, text: string, returnTo: string): string {
  return htmlPage(
    options,
    "Not signed in",
    `<main>
<h1>You could not be signed in</h1>
<p>${escapeHtml(text)}</p>
<p><a href="${escapeHtml(returnTo)}">Back to ${options.page.name}</a></p>
</main>`,
  );
}

function htmlPage({ product, mark }: SignInOptions, title: string, body: string): string {
  return `<!DOCTYPE html>
<html lang="en-GB">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title} · ${product}</title>
<link rel="icon" href="data:image/svg+xml;base64,${Buffer.from(mark).toString("base64")}">
<style>${css}</style>
</head>
<body>
<header>${mark} ${product}</header>
${body}
</body>
</html>
`;
}

function listed(person: Person): string {
  const { name, role, organisation, email, password } = person;
  return `<li><strong>${name}</strong>, ${role} of ${organisation} <code>${email}</code> <code>${password}</code></li>`;
}

function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}

/** Each sign-in has its own path below this one. */
export const formPath = "/interaction/";

export function addSignInForm(provider: Provider, options: SignInOptions, returnTo: string): void {
  provider.use(async (context, next) => {
    if (!context.path.startsWith(formPath)) return next();
    context.type = "html";
    try {
      const { params } = await provider.interactionDetails(context.req, context.res);
      if (context.method !== "POST") {
        context.body = signInPage(options, String(params.login_hint ?? ""), false);
        return;
      }
      const form = new URLSearchParams(await text(context.req));
      const email = form.get("email") ?? "";
      const person = options.people.find((known) => known.email === email.trim().toLowerCase());
      if (person && person.password === form.get("password")) {
        const login = { accountId: person.sub };
        context.status = 303;
        context.redirect(await provider.interactionResult(context.req, context.res, { login }));
      } else {
        context.body = signInPage(options, email, true);
      }
    } catch (error) {
      if (!(error instanceof errors.SessionNotFound)) throw error;
      context.status = 400;
      context.body = problemPage(options, "This sign-in has expired.", returnTo);
    }
  });
}
