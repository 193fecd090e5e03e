import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { type Browser, chromium } from "playwright-core";

/** Starts the machine's own Chromium: its headless shell, which is faster, or the whole browser. Both draw the same. */
export function launchChromium(): Promise<Browser> {
  const found = spawnSync("which", ["chromium-headless-shell", "chromium"], { encoding: "utf8" }).stdout;
  const [executablePath] = found.split("\n");
  if (!executablePath) throw new Error("Neither chromium-headless-shell nor chromium is on the PATH.");
  const args = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-dev-shm-usage",
    "--disable-background-networking",
    // The headless shell does not read it from fonts/rendering.conf.
    "--font-render-hinting=slight",
  ];
  const fontconfig = { FONTCONFIG_PATH: join(import.meta.dirname, "fonts"), FONTCONFIG_FILE: "machine.conf" };
  return chromium.launch({ executablePath, args, env: { ...process.env, ...fontconfig } });
}
