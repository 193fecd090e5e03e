import { RemovalPolicy, Stack } from "aws-cdk-lib";
import { CfnBudget } from "aws-cdk-lib/aws-budgets";
import { CfnAnomalyMonitor, CfnAnomalySubscription } from "aws-cdk-lib/aws-ce";
import { PolicyStatement, ServicePrincipal } from "aws-cdk-lib/aws-iam";
import { Key } from "aws-cdk-lib/aws-kms";
import { Topic } from "aws-cdk-lib/aws-sns";
import { EmailSubscription } from "aws-cdk-lib/aws-sns-subscriptions";
import { Construct } from "constructs";
import type { Settings } from "../settings.ts";

const cloudWatch = new ServicePrincipal("cloudwatch.amazonaws.com");

/** In the data stack, so that nobody has to confirm a subscription again, and no pager is lost, when the API stack is created again. */
export class AlarmTopic extends Construct {
  readonly topic: Topic;

  constructor(scope: Construct, id: string, { alarmEmails, monthlyBudget }: Settings) {
    super(scope, id);
    this.topic = new Topic(this, "Topic", { masterKey: this.makeKey(), enforceSSL: true });
    // A topic policy replaces SNS's default permissions, and CloudWatch needs this one.
    this.topic.addToResourcePolicy(
      new PolicyStatement({
        principals: [cloudWatch],
        actions: ["sns:Publish"],
        resources: [this.topic.topicArn],
        conditions: { StringEquals: { "aws:SourceAccount": Stack.of(this).account } },
      }),
    );
    for (const email of alarmEmails) this.topic.addSubscription(new EmailSubscription(email));
    if (monthlyBudget !== undefined) this.watchCosts(monthlyBudget, alarmEmails);
  }

  /** CloudWatch cannot use SNS's own key: its alarms would be lost without an error. */
  private makeKey(): Key {
    const key = new Key(this, "Key", {
      description: "Encrypts alarm notifications",
      enableKeyRotation: true,
      // It encrypts nothing that is stored.
      removalPolicy: RemovalPolicy.DESTROY,
    });
    key.addToResourcePolicy(
      new PolicyStatement({
        principals: [cloudWatch],
        actions: ["kms:Decrypt", "kms:GenerateDataKey*"],
        resources: ["*"],
      }),
    );
    return key;
  }

  /** The account's costs of a month, by e-mail: AWS Budgets and Cost Explorer know no stages, and an account has only one. */
  private watchCosts(amount: number, emails: readonly string[]): void {
    const toAll = emails.map((address) => ({ address, subscriptionType: "EMAIL" }));
    const above = (notificationType: "ACTUAL" | "FORECASTED", threshold: number) => ({
      notification: { comparisonOperator: "GREATER_THAN", notificationType, threshold, thresholdType: "PERCENTAGE" },
      subscribers: toAll,
    });
    new CfnBudget(this, "Budget", {
      budget: { budgetType: "COST", timeUnit: "MONTHLY", budgetLimit: { amount, unit: "USD" } },
      notificationsWithSubscribers: [above("ACTUAL", 100), above("FORECASTED", 100)],
    });
    const monitor = new CfnAnomalyMonitor(this, "Anomalies", {
      monitorName: Stack.of(this).stackName,
      monitorType: "DIMENSIONAL",
      monitorDimension: "SERVICE",
    });
    // A tenth of the budget in one anomaly. Messages at once would need SNS; costs are hours late anyway.
    const impact = { Key: "ANOMALY_TOTAL_IMPACT_ABSOLUTE", MatchOptions: ["GREATER_THAN_OR_EQUAL"] };
    new CfnAnomalySubscription(this, "AnomalyMails", {
      subscriptionName: Stack.of(this).stackName,
      frequency: "DAILY",
      monitorArnList: [monitor.attrMonitorArn],
      subscribers: emails.map((address) => ({ address, type: "EMAIL" })),
      thresholdExpression: JSON.stringify({ Dimensions: { ...impact, Values: [String(amount / 10)] } }),
    });
  }
}
