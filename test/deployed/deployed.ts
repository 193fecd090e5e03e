/*
 * Tests the deployed service over HTTP: npm run test:deployed
 * With BASE_URL it uses that stage, otherwise one that the real CDK deploys to an emulator of AWS, changes and removes.
 */
await import(process.env.BASE_URL === undefined ? "./emulated.ts" : "./named.ts");
