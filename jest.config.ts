import type { Config } from "jest";

/** Node strips the types of TypeScript, so no other transformation is needed. */
const common = {
  testEnvironment: "<rootDir>/test/support/jest/jestEnvironment.ts",
  setupFiles: ["<rootDir>/test/support/jest/setUp.ts"],
  extensionsToTreatAsEsm: [".ts"],
  transform: {},
  restoreMocks: true,
};

/**
 * Tests that start services, make bundles or templates of several stages, read a stream to its end, or run commands over whole tables.
 * `.ci/run slow_tests` and `THOROUGH=1 npm test` run them.
 */
const { SLOW, THOROUGH } = process.env;
const slowTests = SLOW === "1" || THOROUGH === "1" ? [] : [/\.slow\.test\.ts$/.source];

/** One DynamoDB Local for all files of a run. */
const withDatabase = {
  ...common,
  globalSetup: "<rootDir>/test/support/jest/globalSetup.ts",
  globalTeardown: "<rootDir>/test/support/jest/globalTeardown.ts",
};

/** One service for all files of a run, or the running one at BASE_URL. */
const withService = { ...withDatabase, globalSetup: "<rootDir>/test/support/service/serviceSetup.ts" };

/** `npm test` runs the first two, and `.ci/run` each of them. */
const config: Config = {
  // Ends a test that hangs. It is long because a busy machine is many times slower than an idle one.
  testTimeout: 600_000,
  // On a busy machine, a process takes longer than Jest's half second to exit.
  workerGracefulExitTimeout: 60_000,
  coverageProvider: "v8",
  collectCoverageFrom: ["{bin,cli,functions,lib,local,packages}/**/*.ts"],
  testSequencer: "<rootDir>/test/support/jest/sequencer.ts",
  projects: [
    {
      ...withDatabase,
      displayName: "unit",
      testMatch: ["<rootDir>/{test,packages/*/test}/**/*.test.ts"],
      testPathIgnorePatterns: ["/test/promises/", ...slowTests],
    },
    {
      ...withService,
      globalSetup: "<rootDir>/test/support/service/promisesSetup.ts",
      displayName: "promises",
      testMatch: ["<rootDir>/test/promises/**/*.test.ts"],
      // These also need the service's table, its log or a direct connection.
      testPathIgnorePatterns: process.env.BASE_URL === undefined ? [] : ["/test/promises/local/"],
    },
    {
      ...withDatabase,
      displayName: "browser",
      globalSetup: "<rootDir>/packages/developer-area/test/browser/support/browserSetup.ts",
      testMatch: ["<rootDir>/packages/*/test/**/*.browser.ts"],
    },
    { ...withDatabase, displayName: "large", testMatch: ["<rootDir>/test/large/**/*.large.ts"] },
    { ...withDatabase, displayName: "fuzz", testMatch: ["<rootDir>/test/fuzz/requests.fuzz.ts"] },
    { ...withService, displayName: "schemathesis", testMatch: ["<rootDir>/test/schemathesis/schemathesis.ts"] },
    { ...withService, displayName: "guides", testMatch: ["<rootDir>/test/guides/**/*.guides.ts"] },
    { ...withService, displayName: "automation", testMatch: ["<rootDir>/test/automation/*.automation.ts"] },
    {
      ...common,
      displayName: "generatedClients",
      testMatch: ["<rootDir>/test/generatedClients/generatedClients.ts"],
    },
    { ...common, displayName: "oasdiff", testMatch: ["<rootDir>/test/released/document.oasdiff.ts"] },
    { ...withDatabase, displayName: "runtimes", testMatch: ["<rootDir>/test/runtimes/**/*.runtimes.ts"] },
    { ...common, displayName: "assistants", testMatch: ["<rootDir>/test/assistants/{assistants,frameworks}.ts"] },
    { ...common, displayName: "importers", testMatch: ["<rootDir>/test/importers/*.ts"] },
    { ...common, displayName: "pythonClient", testMatch: ["<rootDir>/packages/client-python/test/*.ts"] },
    {
      ...common,
      displayName: "deployed",
      // With BASE_URL, an existing stage is tested; otherwise one that the tests deploy, change and remove.
      testMatch: [`<rootDir>/test/deployed/${process.env.BASE_URL === undefined ? "emulated" : "named"}.deployed.ts`],
    },
    { ...common, displayName: "realDataSet", testMatch: ["<rootDir>/test/realData/realDataSet.ts"] },
    { ...common, displayName: "realDataFeed", testMatch: ["<rootDir>/test/realData/realDataFeed.ts"] },
  ],
};

export default config;
