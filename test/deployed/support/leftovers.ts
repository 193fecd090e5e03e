import { type Call, callAws } from "./callAws.ts";

/** The calls that list the first resources of a kind. */
const lists: Readonly<Record<string, (stack: string) => Call>> = {
  "Lambda functions": () => ({ service: "lambda", path: "/2015-03-31/functions/" }),
  "REST APIs": () => ({ service: "apigateway", path: "/restapis?limit=500" }),
  "S3 buckets": () => ({ service: "s3" }),
  "SNS topics": () => ({ service: "sns", path: "/?Action=ListTopics&Version=2010-03-31" }),
  "CloudWatch alarms": (stack) => ({
    service: "monitoring",
    path: `/?Action=DescribeAlarms&Version=2010-08-01&AlarmNamePrefix=${stack}`,
  }),
  "IAM roles": () => ({ service: "iam", path: "/?Action=ListRoles&Version=2010-05-08&MaxItems=1000" }),
  "DynamoDB tables": () => ({ service: "dynamodb", operation: "DynamoDB_20120810.ListTables" }),
  "SQS queues": (QueueNamePrefix) => ({
    service: "sqs",
    operation: "AmazonSQS.ListQueues",
    input: { QueueNamePrefix },
  }),
  "log groups": () => ({ service: "logs", operation: "Logs_20140328.DescribeLogGroups", input: { limit: 50 } }),
  "event buses": () => ({ service: "events", operation: "AWSEvents.ListEventBuses" }),
  "user pools": () => ({
    service: "cognito-idp",
    operation: "AWSCognitoIdentityProviderService.ListUserPools",
    input: { MaxResults: 60 },
  }),
};

/**
 * The resources of a stack, as the services list them rather than CloudFormation.
 *
 * @returns the names that contain the stack's name, as all of its resources do, by kind.
 */
export async function resourcesOf(stack: string): Promise<Record<string, readonly string[]>> {
  const named = new RegExp(`[\\w:/.-]*${stack}[\\w:/.-]*`, "g");
  const found = Object.entries(lists).map(async ([kind, callOf]) => {
    // The tags of a role also contain the stack's name.
    const answer = (await callAws(callOf(stack))).replaceAll(/<Tags>.*?<\/Tags>/gs, "");
    return [kind, [...new Set(answer.match(named) ?? [])]] as const;
  });
  return Object.fromEntries(await Promise.all(found));
}
