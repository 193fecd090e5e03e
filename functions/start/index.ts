import { compileFunction } from "./compileFunction.ts";

/* The `index.js` of each deployed function. */
const { script, exports } = compileFunction(import.meta.dirname);

const { cachedDataRejected: isRejected } = script;
/** The first log line reports it. */
process.env.COMPILE_CACHE = isRejected === undefined ? "none" : isRejected ? `rejected by ${process.version}` : "used";

export const { handler } = exports;
