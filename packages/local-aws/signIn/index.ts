export type { Person, SignInOptions } from "./options.ts";
export { type SignIn, startSignIn } from "./signIn.ts";
