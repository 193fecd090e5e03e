import { text } from "node:stream/consumers";
import { errors, type Provider } from "oidc-provider";
import { problemPage, signInPage } from "./pages.ts";
import { people } from "./people.ts";

/** The form's path under the issuer. Each sign-in has its own path below it. */
export const formPath = "/interaction/";

export function addSignInForm(provider: Provider, returnTo: string): void {
  provider.use(async (context, next) => {
    if (!context.path.startsWith(formPath)) return next();
    context.type = "html";
    try {
      await provider.interactionDetails(context.req, context.res);
      if (context.method !== "POST") {
        context.body = signInPage();
        return;
      }
      const form = new URLSearchParams(await text(context.req));
      const email = form.get("email") ?? "";
      const person = people.find((known) => known.email === email.trim().toLowerCase());
      if (person && person.password === form.get("password")) {
        const login = { accountId: person.sub };
        context.status = 303;
        context.redirect(await provider.interactionResult(context.req, context.res, { login }));
      } else {
        context.body = signInPage(email);
      }
    } catch (error) {
      if (!(error instanceof errors.SessionNotFound)) throw error;
      context.status = 400;
      context.body = problemPage("This sign-in has expired.", returnTo);
    }
  });
}
