import { ask, type Question } from "./ask.ts";

/** How to list all resources of a kind. */
const lists: Readonly<Record<string, Question>> = {
  "Lambda functions": { service: "lambda", path: "/2015-03-31/functions/" },
  "REST APIs": { service: "apigateway", path: "/restapis" },
  "S3 buckets": { service: "s3" },
  "SNS topics": { service: "sns", path: "/?Action=ListTopics&Version=2010-03-31" },
  "CloudWatch alarms": { service: "monitoring", path: "/?Action=DescribeAlarms&Version=2010-08-01" },
  "IAM roles": { service: "iam", path: "/?Action=ListRoles&Version=2010-05-08" },
  "DynamoDB tables": { service: "dynamodb", operation: "DynamoDB_20120810.ListTables" },
  "SQS queues": { service: "sqs", operation: "AmazonSQS.ListQueues" },
  "log groups": { service: "logs", operation: "Logs_20140328.DescribeLogGroups" },
  "event buses": { service: "events", operation: "AWSEvents.ListEventBuses" },
  "user pools": {
    service: "cognito-idp",
    operation: "AWSCognitoIdentityProviderService.ListUserPools",
    input: { MaxResults: 60 },
  },
};

/**
 * The resources of a stack, as the emulator's services list them rather than its CloudFormation.
 *
 * @returns the names that contain the stack's name, as all of its resources do, by kind.
 */
export async function resourcesOf(stack: string, endpoint: string): Promise<Record<string, readonly string[]>> {
  const named = new RegExp(`[\\w:/.-]*${stack}[\\w:/.-]*`, "g");
  const found = Object.entries(lists).map(async ([kind, question]) => {
    // The tags of a role also contain the stack's name.
    const answer = (await ask(endpoint, question)).replaceAll(/<Tags>.*?<\/Tags>/gs, "");
    const names = answer.match(named) ?? [];
    return [kind, [...new Set(names)]];
  });
  return Object.fromEntries(await Promise.all(found));
}
