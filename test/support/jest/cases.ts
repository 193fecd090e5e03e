/** The cases of a test, or their number: few in `npm test`, all with `THOROUGH=1`. */
export function cases<Cases>(few: Cases, all: Cases): Cases {
  return process.env.THOROUGH === "1" ? all : few;
}
