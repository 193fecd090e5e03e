/**
 * Gives this process's SDK a region and credentials for what stands in for AWS's services on this machine. They only have to be there; real
 * ones are never sent to it.
 */
export function useLocalCredentials(): void {
  Object.assign(process.env, { AWS_REGION: "local", AWS_ACCESS_KEY_ID: "local", AWS_SECRET_ACCESS_KEY: "local" });
  delete process.env.AWS_SESSION_TOKEN;
}
