import type { Call, Fault } from "./faultyProxy.ts";

const isWrite = ({ action }: Call) => ["PutItem", "UpdateItem", "TransactWriteItems"].includes(action);

/** Lets this number of writes a second pass, in the order of their arrival. A write keeps its turn when its sender has given up. */
export function limitedWrites(writesPerSecond: number) {
  let nextMs = 0;
  return (call: Call): Fault | undefined => {
    if (!isWrite(call)) return undefined;
    const nowMs = performance.now();
    nextMs = Math.max(nowMs, nextMs + 1_000 / writesPerSecond);
    const waitMs = nextMs - nowMs;
    return (_outgoing, forward) => void setTimeout(() => void forward(), waitMs);
  };
}

/** Delays every call, and each tenth for longer. */
export function delayedCalls(mostMs: number, tenthMs: number) {
  let calls = 0;
  return (): Fault => {
    calls += 1;
    const delayMs = calls % 10 === 0 ? tenthMs : mostMs;
    return (_outgoing, forward) => void setTimeout(() => void forward(), delayMs);
  };
}
