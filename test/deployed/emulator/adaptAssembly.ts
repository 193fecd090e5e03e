import { createHash } from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Template } from "../../lib/support/synthesise.ts";
import { changed, withoutGaps } from "./emulatorGaps.ts";
import { expandedApi } from "./expandedApi.ts";

/**
 * Rewrites the template of a synthesised stack for the emulator, and every copy of its hash, by which the CDK uploads it.
 *
 * @param alter a further change.
 */
export function adaptAssembly(
  directory: string,
  stack: string,
  emulator: { endpoint: string; region: string },
  alter = (template: Template) => template,
): void {
  const file = `${stack}.template.json`;
  const template = JSON.parse(readFileSync(join(directory, file), "utf8"));
  const adapted = JSON.stringify(alter(changed(expandedApi(withoutGaps(template)), emulator)));
  writeFileSync(join(directory, file), adapted);
  const assets: { files: Record<string, { source: { path: string } }> } = JSON.parse(
    readFileSync(join(directory, `${stack}.assets.json`), "utf8"),
  );
  const [oldHash] = Object.entries(assets.files).find(([, { source }]) => source.path === file) ?? [];
  if (oldHash === undefined) throw new Error(`The template of ${stack} is not an asset.`);
  const hash = createHash("sha256").update(adapted).digest("hex");
  for (const name of [`${stack}.assets.json`, "manifest.json"]) {
    const text = readFileSync(join(directory, name), "utf8");
    writeFileSync(join(directory, name), text.replaceAll(oldHash, hash));
  }
}
