import type { Numbers } from "./awsMetrics.ts";
import type { Sample } from "./cloudWatch.ts";
import { type Json, resourcesOf, type Template } from "./synthesise.ts";

/** The alarms, by their sections of the runbook. */
export function alarmsOf(from: Template): Map<string, Json> {
  const all = resourcesOf(from, "AWS::CloudWatch::Alarm").map(([, { Properties }]) => Properties);
  return new Map(all.map((alarm) => [String(/#([\w-]+) /.exec(alarm.AlarmDescription)?.[1]), alarm]));
}

/** The numbers of one minute, in each of these minutes. */
export function minutesOf(minutes: number[], numbers: Numbers[]): Sample[] {
  return minutes.flatMap((minute) => numbers.map((one) => ({ ...one, minute })));
}
