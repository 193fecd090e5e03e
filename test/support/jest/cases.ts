const isThorough = process.env.THOROUGH === "1";

/** The cases of a test, or their number: few in `npm test`, all with `THOROUGH=1`. */
export function cases<Cases>(few: Cases, all: Cases): Cases {
  return isThorough ? all : few;
}

/** Among more subjects, several try the same case. */
const maximumSharers = 4;

/**
 * The cases to try with one of several subjects that run the same code, such as endpoints. In `npm test`, the subjects share the cases,
 * so that each case is tried with at least one of them, and each subject tries some. With `THOROUGH=1`, each subject gets all.
 */
export function shareOf<Case, Subject>(all: readonly Case[], subject: Subject, subjects: readonly Subject[]): Case[] {
  const sharers = Math.min(maximumSharers, subjects.length, all.length);
  return all.filter((_, index) => isThorough || index % sharers === subjects.indexOf(subject) % sharers);
}
