import { writeFileSync } from "node:fs";
import { ndjson } from "../cli/support/lines.ts";
import { fewDemoRecords } from "./fewDemoRecords.ts";

/*
 * Writes what the journeys need to find at a stage, to be imported there: node test/deployed/writeDemoRecords.ts FILE
 */
const [file] = process.argv.slice(2);
if (file === undefined) throw new Error("Say the file to write.");
writeFileSync(file, ndjson(fewDemoRecords()));
