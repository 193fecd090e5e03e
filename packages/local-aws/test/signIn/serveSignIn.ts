import { createServer } from "node:http";
import { signInOptions } from "../../../../local/demo/people.ts";
import { portOf } from "../../gateway/server.ts";
import { type SignIn, startSignIn } from "../../signIn/signIn.ts";

interface TestSignIn extends SignIn {
  baseUrl: string;
  returnTo: string;
  port: number;
  stop: () => void;
}

/** Serves the sign-in on its own server, which returns 418 for everything else. */
export async function serveSignIn(): Promise<TestSignIn> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const baseUrl = `http://localhost:${portOf(server)}`;
  const signIn = await startSignIn(baseUrl, signInOptions);
  server.on("request", (incoming, outgoing) => {
    if (!signIn.handle(incoming, outgoing)) outgoing.writeHead(418).end("elsewhere");
  });
  const stop = () => {
    server.close();
    server.closeAllConnections();
  };
  return { ...signIn, baseUrl, returnTo: `${baseUrl}/developer`, port: portOf(server), stop };
}
