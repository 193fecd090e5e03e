import { writeFileSync } from "node:fs";
import { clientTypes, clientTypesFile } from "./clientTypes.ts";

writeFileSync(clientTypesFile, await clientTypes());
