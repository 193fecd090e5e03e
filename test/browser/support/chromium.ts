import { execFileSync } from "node:child_process";
import { type Browser, chromium } from "playwright-core";

/** Starts the machine's own Chromium. */
export function launchChromium(): Promise<Browser> {
  const executablePath = execFileSync("which", ["chromium"], { encoding: "utf8" }).trim();
  const args = ["--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--disable-background-networking"];
  return chromium.launch({ executablePath, args });
}
