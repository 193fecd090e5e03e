import type { Record as InputRecord } from "../../functions/resources/record.ts";
import { northernLights } from "./northernLights.ts";
import { programmeRecords } from "./programmeRecords.ts";
import { riverside } from "./riverside.ts";
import { saleRecords } from "./sales/saleRecords.ts";
import { northernLightsSales, riversideSales } from "./sales/sales.ts";

/** The events of the demo organisations, with their dates and ticket categories: the same at every start. */
export function demoProgrammes(): InputRecord[] {
  return [...programmeRecords(riverside), ...programmeRecords(northernLights)];
}

/** What was sold for them. */
export function demoSales(): InputRecord[] {
  return [
    ...saleRecords(riverside.organisationId, programmeRecords(riverside), riversideSales),
    ...saleRecords(northernLights.organisationId, programmeRecords(northernLights), northernLightsSales),
  ];
}
