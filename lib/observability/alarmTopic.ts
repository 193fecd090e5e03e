import { Aspects, RemovalPolicy, Stack } from "aws-cdk-lib";
import { Alarm } from "aws-cdk-lib/aws-cloudwatch";
import { SnsAction } from "aws-cdk-lib/aws-cloudwatch-actions";
import { PolicyStatement, ServicePrincipal } from "aws-cdk-lib/aws-iam";
import { Key } from "aws-cdk-lib/aws-kms";
import { Topic } from "aws-cdk-lib/aws-sns";
import { EmailSubscription } from "aws-cdk-lib/aws-sns-subscriptions";
import type { Construct } from "constructs";

const cloudWatch = new ServicePrincipal("cloudwatch.amazonaws.com");

/** The topic that every alarm of the stack notifies, when it is raised and when it clears. */
export function alarmTopic(scope: Construct, id: string, emails: readonly string[]): Topic {
  const topic = new Topic(scope, id, { masterKey: topicKey(scope, `${id}Key`), enforceSSL: true });
  // A topic policy replaces SNS's default permissions, and CloudWatch needs this one.
  topic.addToResourcePolicy(
    new PolicyStatement({
      principals: [cloudWatch],
      actions: ["sns:Publish"],
      resources: [topic.topicArn],
      conditions: { StringEquals: { "aws:SourceAccount": Stack.of(scope).account } },
    }),
  );
  for (const email of emails) topic.addSubscription(new EmailSubscription(email));
  const action = new SnsAction(topic);
  // An aspect also reaches alarms that are added later, anywhere in the stack.
  Aspects.of(Stack.of(scope)).add({
    visit(part) {
      if (!(part instanceof Alarm)) return;
      part.addAlarmAction(action);
      part.addOkAction(action);
    },
  });
  return topic;
}

/** CloudWatch cannot use SNS's own key: its alarms would be lost without an error. */
function topicKey(scope: Construct, id: string): Key {
  const key = new Key(scope, id, {
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
