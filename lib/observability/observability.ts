import type { Topic } from "aws-cdk-lib/aws-sns";
import { Construct } from "constructs";
import { addAlarms } from "./alarms.ts";
import { alarmTopic } from "./alarmTopic.ts";
import { addDashboard } from "./dashboard.ts";
import { type Observed, observedMetrics } from "./observedMetrics.ts";
import { addSavedQueries } from "./savedQueries.ts";

export interface ObservabilityProps extends Observed {
  /** The recipients of alarms. */
  alarmEmails: readonly string[];
}

/** The dashboard, the alarms, and the topic that all alarms of the stack notify. */
export class Observability extends Construct {
  readonly topic: Topic;
  /** The names of the alarms that roll back a release. */
  readonly releaseAlarms: readonly string[];

  constructor(scope: Construct, id: string, { alarmEmails, ...observed }: ObservabilityProps) {
    super(scope, id);
    const metrics = observedMetrics(this, observed);
    this.releaseAlarms = addAlarms(this, metrics);
    addDashboard(this, metrics, observed);
    addSavedQueries(this, observed.api);
    this.topic = alarmTopic(this, "Alarms", alarmEmails);
  }
}
