/**
 * In deployed functions, the bundler replaces the SDK's chain of credential providers with this one. Lambda provides credentials only in the
 * environment; the chain would also load code for files, single sign-on and metadata services.
 */
export { fromEnv as defaultProvider } from "@aws-sdk/credential-provider-env";
