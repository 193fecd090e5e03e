import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { serialize } from "node:v8";
import { developerAreaSite } from "../../../../../lib/website/sites.ts";
import globalSetup from "../../../../../test/support/jest/globalSetup.ts";

/** The setup of all tests, and one build of the Developer area for all files. */
export default async function browserSetup(): Promise<void> {
  const directory = await globalSetup();
  process.env.TEST_DEVELOPER_AREA = join(directory, "developerArea");
  writeFileSync(process.env.TEST_DEVELOPER_AREA, serialize(await developerAreaSite()));
}
