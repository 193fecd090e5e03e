/**
 * What a deployed function has instead of the SDK's chain of credential providers, which looks in files, at a single sign-on and at
 * metadata services besides: Lambda gives credentials in the environment only. The bundler puts it there.
 */
export { fromEnv as defaultProvider } from "@aws-sdk/credential-provider-env";
