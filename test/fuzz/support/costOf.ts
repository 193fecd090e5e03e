/** Garbage collection and other threads hide shorter times. */
const resolutionMs = 4;
const maximumTries = 3;

/**
 * The processor time in milliseconds that this process spends on a piece of work: the lowest of several tries, because other work of the
 * process can only add to it.
 *
 * @param enough stops after a try that took at most this long.
 */
export async function costOf(work: () => Promise<unknown>, enough = 0): Promise<number> {
  let leastMs = Number.POSITIVE_INFINITY;
  for (let tries = 0; tries < maximumTries && leastMs > Math.max(enough, resolutionMs); tries++) {
    const before = process.cpuUsage();
    await work();
    const { user, system } = process.cpuUsage(before);
    leastMs = Math.min(leastMs, (user + system) / 1_000);
  }
  return Math.max(leastMs, resolutionMs);
}
