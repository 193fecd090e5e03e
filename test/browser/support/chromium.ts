import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { type Browser, chromium } from "playwright-core";

/**
 * Starts the machine's own Chromium.
 *
 * @param systemFonts the machine's fonts, or only a font of icons; Chromium draws either in the same way on every machine.
 */
export function launchChromium(systemFonts: "machine" | "icons" = "machine"): Promise<Browser> {
  const executablePath = execFileSync("which", ["chromium"], { encoding: "utf8" }).trim();
  const args = ["--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--disable-background-networking"];
  const fontconfig = { FONTCONFIG_PATH: join(import.meta.dirname, "fonts"), FONTCONFIG_FILE: `${systemFonts}.conf` };
  return chromium.launch({ executablePath, args, env: { ...process.env, ...fontconfig } });
}
