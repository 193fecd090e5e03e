import assert from "node:assert/strict";
import { integratorStage } from "./integratorStage.ts";
import { localService } from "./journeyService.ts";

/** The stage of the journeys that need known data. */
export const journeyStage = await integratorStage(localService?.description ?? assert.fail());
