import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { constants, Script } from "node:vm";

/** The files beside a deployed function's `index.js`: its code, and what V8 compiled of it. */
export const codeFile = "function.js";
export const cacheFile = "function.cache";

/**
 * Runs the code in a directory, with its compile cache if there is one. V8 rejects a cache of another version, build or architecture, or with
 * other flags, and then compiles the code itself (https://nodejs.org/docs/latest-v24.x/api/vm.html#scriptcreatecacheddata).
 */
export function compileFunction(directory: string) {
  // esbuild writes ASCII.
  const code = readFileSync(join(directory, codeFile), "latin1");
  const cache = join(directory, cacheFile);
  const script = new Script(`(function (module, require) {${code}\n})`, {
    filename: codeFile,
    // The SDK imports some of Node's modules on first use.
    importModuleDynamically: constants.USE_MAIN_CONTEXT_DEFAULT_LOADER,
    ...(existsSync(cache) && { cachedData: readFileSync(cache) }),
  });
  const module = { exports: {} };
  script.runInThisContext()(module, process.getBuiltinModule);
  return { script, exports: module.exports as { handler: (event: unknown, context: object) => Promise<unknown> } };
}
