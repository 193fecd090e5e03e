import assert from "node:assert/strict";
import { integratorStage } from "./integratorStage.ts";
import { localService } from "./testedService.ts";

/** Known data of one organisation. */
export const localStage = await integratorStage(localService?.description ?? assert.fail());
