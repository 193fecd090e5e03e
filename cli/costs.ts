import { costTables } from "./cost/costTables.ts";
import { priceList } from "./cost/prices.ts";

console.log(
  `What the service costs, with AWS's public prices of ${priceList.region} as of ${priceList.asOf}. docs/operators/cost.md says what is assumed.\n`,
);
for (const table of Object.values(costTables())) console.log(`${table}\n`);
