import { Validations } from "aws-cdk-lib";
import { Alarm } from "aws-cdk-lib/aws-cloudwatch";
import { LambdaApplication, LambdaDeploymentConfig, LambdaDeploymentGroup } from "aws-cdk-lib/aws-codedeploy";
import { ManagedPolicy, Role, ServicePrincipal } from "aws-cdk-lib/aws-iam";
import { Construct } from "constructs";
import { serviceFunctionsIn } from "./serviceFunction.ts";

/**
 * Brings a new version of a function to a tenth of its calls first, and to the others after five minutes, if no alarm was raised. If one
 * was, every function goes back to its version before, and so does the stack. It is for what answers requests: what fails behind a queue is
 * tried again and kept, and its alarms tell later than in five minutes.
 */
export class CanaryReleases extends Construct {
  /**
   * @param functions where they are.
   * @param alarmNames at most ten, which is what CodeDeploy takes. The alarms themselves watch what comes after the functions, and would wait
   *   for them as these for the alarms.
   */
  constructor(scope: Construct, id: string, functions: Construct, alarmNames: readonly string[]) {
    super(scope, id);
    const alarms = alarmNames.map((name) => Alarm.fromAlarmName(this, name, name));
    const application = new LambdaApplication(this, "Application");
    const role = this.makeRole();
    for (const [name, { live }] of serviceFunctionsIn(functions)) {
      new LambdaDeploymentGroup(this, name, {
        application,
        alias: live,
        alarms,
        role,
        deploymentConfig: LambdaDeploymentConfig.CANARY_10PERCENT_5MINUTES,
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
      reason: "What CodeDeploy needs to move an alias and to look at alarms; AWS keeps this policy for it.",
    });
    // Each of the groups would add the same policy again.
    return role.withoutPolicyUpdates();
  }
}
