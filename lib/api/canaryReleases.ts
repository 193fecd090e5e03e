import { Validations } from "aws-cdk-lib";
import { Alarm } from "aws-cdk-lib/aws-cloudwatch";
import { LambdaApplication, LambdaDeploymentConfig, LambdaDeploymentGroup } from "aws-cdk-lib/aws-codedeploy";
import { ManagedPolicy, Role, ServicePrincipal } from "aws-cdk-lib/aws-iam";
import { Construct } from "constructs";
import { serviceFunctionsIn } from "../shared/serviceFunction.ts";

/** The length of a canary. A shorter one sees too few requests of a seldom used operation. */
export const canaryMinutes = 10;

interface CanaryReleasesProps {
  functions: Construct;
  /** At most ten, CodeDeploy's limit. Names rather than alarms, which would make a circular dependency. */
  alarmNames: readonly string[];
  /** Operations that are released at once: a tenth of a few requests a day shows nothing in ten minutes. */
  seldomUsed: readonly string[];
}

/**
 * Gives a function's new version a tenth of its calls, and the rest after ten minutes without an alarm. An alarm rolls back every function
 * and the stack. Only functions that serve requests are released this way: failures behind a queue are retried and kept, and their alarms
 * take longer.
 */
export class CanaryReleases extends Construct {
  constructor(scope: Construct, id: string, { functions, alarmNames, seldomUsed }: CanaryReleasesProps) {
    super(scope, id);
    const alarms = alarmNames.map((name) => Alarm.fromAlarmName(this, name, name));
    const application = new LambdaApplication(this, "Application");
    const role = this.makeRole();
    for (const [name, { live }] of serviceFunctionsIn(functions)) {
      if (seldomUsed.includes(name)) continue;
      new LambdaDeploymentGroup(this, name, {
        application,
        alias: live,
        alarms,
        role,
        deploymentConfig: LambdaDeploymentConfig.CANARY_10PERCENT_10MINUTES,
        autoRollback: { failedDeployment: true, stoppedDeployment: true, deploymentInAlarm: true },
      });
    }
  }

  private makeRole() {
    const policy = "service-role/AWSCodeDeployRoleForLambdaLimited";
    const role = new Role(this, "Role", {
      assumedBy: new ServicePrincipal("codedeploy.amazonaws.com"),
      managedPolicies: [ManagedPolicy.fromAwsManagedPolicyName(policy)],
    });
    Validations.of(role).acknowledge({
      id: `AwsSolutions-IAM4[Policy::arn:<AWS::Partition>:iam::aws:policy/${policy}]`,
      reason: "AWS maintains this policy with what CodeDeploy needs to move an alias and read alarms.",
    });
    // Otherwise each deployment group would attach the same policy again.
    return role.withoutPolicyUpdates();
  }
}
