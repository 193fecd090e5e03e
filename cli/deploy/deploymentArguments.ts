import { parseArgs } from "node:util";
import { type Settings, SettingsFields, settingsOf } from "../../lib/settings.ts";
import { UsageError } from "../../local/usageError.ts";

/**
 * Reads what the commands need among the CDK's arguments, and ignores the others.
 *
 * @throws UsageError if the settings are invalid.
 */
export function deploymentArguments(args: string[]): { settings: Settings; profile: string | undefined } {
  const { values } = parseArgs({
    args,
    strict: false,
    options: { context: { type: "string", short: "c", multiple: true }, profile: { type: "string" } },
  });
  const { context = [], profile } = values;
  const { settings, problem } = settingsOf(
    Object.fromEntries([context].flat().map((entry) => pairOf(String(entry)))),
    SettingsFields,
  );
  if (!settings) throw new UsageError(problem);
  return { settings, profile: typeof profile === "string" ? profile : undefined };
}

function pairOf(entry: string): [name: string, value: string] {
  const [name = "", ...value] = entry.split("=");
  return [name, value.join("=")];
}
