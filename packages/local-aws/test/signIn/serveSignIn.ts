import { createServer } from "node:http";
import { signInOptions } from "../../../../local/demo/demoPeople.ts";
import { listen } from "../../../../test/support/http/listen.ts";
import { portOf } from "../../gateway/server.ts";
import { type SignIn, startSignIn } from "../../signIn/signIn.ts";

interface TestSignIn extends SignIn {
  baseUrl: string;
  returnTo: string;
  port: number;
}

/** Serves the sign-in on its own server, which returns 418 for everything else. */
export async function serveSignIn(): Promise<TestSignIn> {
  const server = createServer();
  await listen(server);
  const baseUrl = `http://localhost:${portOf(server)}`;
  const signIn = await startSignIn(baseUrl, signInOptions);
  server.on("request", (incoming, outgoing) => {
    if (!signIn.handle(incoming, outgoing)) outgoing.writeHead(418).end("elsewhere");
  });
  return { ...signIn, baseUrl, returnTo: `${baseUrl}/developer`, port: portOf(server) };
}
