import { appendFileSync } from "node:fs";
import { registerHooks } from "node:module";

/*
 * node --import THIS_FILE …: no read of the table has a first try, as if functions/table/firstTry.ts were deleted. A process that reads the table
 * appends a line to the file that WITHOUT_FIRST_TRY names.
 */
const source = "export const firstTry = async () => undefined;";

registerHooks({
  load(url, context, nextLoad) {
    if (!url.endsWith("/functions/table/firstTry.ts")) return nextLoad(url, context);
    appendFileSync(process.env.WITHOUT_FIRST_TRY ?? "", `${process.argv[1]}\n`);
    return { format: "module", source, shortCircuit: true };
  },
});
