/**
 * Sets placeholder credentials and region for the AWS SDK in this process. Local services accept any, and must never receive real
 * ones.
 */
export function useLocalCredentials(): void {
  Object.assign(process.env, { AWS_REGION: "local", AWS_ACCESS_KEY_ID: "local", AWS_SECRET_ACCESS_KEY: "local" });
  delete process.env.AWS_SESSION_TOKEN;
}
