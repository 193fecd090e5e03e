/*
 * The service as it is deployed, used over HTTP: npm run test:deployed
 * With BASE_URL, at the stage that it names; else at one that the real CDK deploys on an emulator of AWS, changes and removes.
 */
await import(process.env.BASE_URL === undefined ? "./emulated.ts" : "./named.ts");
